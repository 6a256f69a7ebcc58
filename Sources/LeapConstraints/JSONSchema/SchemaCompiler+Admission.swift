import LeapJSON
import OrderedCollections

/// Whether a given value satisfies a shape; filters `enum` by its sibling keywords.
extension SchemaCompiler {
    func admits(_ value: JSONValue, _ ids: [ID]) throws(ConstraintError) -> Bool {
        for alternative in try alternatives(of: ids)
        where try admits(value, try shape(of: alternative.members)) { return true }
        return false
    }

    func admits(_ value: JSONValue, _ shape: SchemaShape) throws(ConstraintError) -> Bool {
        let type = SchemaTypes(of: value)
        guard shape.types.contains(type), !shape.excludes(value) else { return false }
        for (id, types) in shape.checks where !types.isDisjoint(with: type) {
            let check = try check(of: id)
            guard checks.accept(value, check) else { return false }
        }
        for (error, types) in shape.unsupported where !types.isDisjoint(with: type) { throw error }
        if let values = shape.values, !values.containsEqual(value) { return false }
        switch value {
        case .null, .bool: return true
        case .integer, .largeInteger, .number, .exactNumber:
            return Decimal10(value).map(shape.number.contains) ?? false
        case .string(let text): return try admits(text, shape.string)
        case .array(let elements): return try admits(elements, shape.list)
        case .object: return try admits(object: value, shape.object)
        }
    }

    private func admits(_ text: String, _ shape: StringShape) throws(ConstraintError) -> Bool {
        let count = text.unicodeScalars.count
        guard count >= shape.minimum, count <= shape.maximum ?? .max else { return false }
        for (pattern, reader) in shape.patterns {
            guard try self.pattern(pattern, reader).accepts(text) else { return false }
        }
        for (pattern, reader) in shape.excludedPatterns {
            guard try !self.pattern(pattern, reader).accepts(text) else { return false }
        }
        for (name, reader) in shape.formats {
            guard let format = Formats.definition(name) else { continue }
            guard count <= format.maximumLength ?? .max else { return false }
            guard try self.format(format, reader).accepts(text.utf8) else { return false }
        }
        return true
    }

    private func admits(_ elements: [JSONValue], _ shape: ListShape) throws(ConstraintError) -> Bool {
        guard elements.count >= shape.minimum, elements.count <= shape.maximum ?? .max else { return false }
        if shape.isUnique, Set(elements.map(JSONEquality.init)).count < elements.count { return false }
        for (index, element) in elements.enumerated() {
            let ids = shape.tables.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.rest }
            guard try admits(element, ids) else { return false }
        }
        return true
    }

    private func admits(object value: JSONValue, _ shape: ObjectShape) throws(ConstraintError) -> Bool {
        guard let members = value.object, members.count >= shape.minimum, members.count <= shape.maximum ?? .max,
            shape.required.allSatisfy({ members[$0] != nil })
        else { return false }
        for (name, member) in members {
            for id in shape.nameSchemas where !(try admits(.string(name), [id])) { return false }
            for table in shape.tables where !(try admits(member, named: name, table)) { return false }
        }
        return true
    }

    private func admits(
        _ value: JSONValue, named name: String, _ table: ObjectShape.Table
    ) throws(ConstraintError) -> Bool {
        var ids = table.properties[name].map { [$0] } ?? []
        for (text, reader, id) in table.patterns where try pattern(text, reader).accepts(name) { ids.append(id) }
        if ids.isEmpty, let additional = table.additional { ids = [additional] }
        return try admits(value, ids)
    }
}
