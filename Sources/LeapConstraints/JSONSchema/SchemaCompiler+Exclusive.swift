import LeapJSON
import OrderedCollections

/// `oneOf`: no value may satisfy two of its branches. Where branches overlap, each excludes the others by their
/// negations.
extension SchemaCompiler {
    /// A `oneOf` two of whose branches may hold for the same value.
    func overlap(
        _ alternatives: [SchemaExpansion.Alternative], _ shapes: [SchemaShape]
    ) throws(ConstraintError) -> ID? {
        guard alternatives.contains(where: { !$0.choices.isEmpty }) else { return nil }
        for (index, alternative) in alternatives.enumerated() {
            for other in alternatives.indices.dropFirst(index + 1) {
                let others = alternatives[other].choices
                guard let group = alternative.choices.first(where: { (others[$0.key] ?? $0.value) != $0.value }) else {
                    continue
                }
                guard !(try areDisjoint(shapes[index], shapes[other], depth: 0)) else { continue }
                return group.key
            }
        }
        return nil
    }

    /// Turns `oneOf [A, B]` into `anyOf [A and not B, B and not A]` or, if a negation cannot be expressed, into `anyOf
    /// [A, B]` and an evaluation of the complete value.
    ///
    /// - Throws: If branches overlap by formats, about which implementations disagree.
    func excludeOthers(_ overlap: ID) throws(ConstraintError) {
        let group = document.schemas[overlap]
        let branches = group.value.array ?? []
        guard let owner = owners[overlap], var applicators = applicators[owner],
            let index = applicators.groups.firstIndex(where: { $0.id == overlap })
        else { return }
        defer { self.applicators[owner] = applicators }
        let opposites = branches.compactMap { SchemaNegation.opposite(of: $0, document.draft) }
        guard opposites.count == branches.count else {
            guard branches.allSatisfy({ $0["format"]?.string.flatMap(Formats.definition) == nil }) else {
                throw .schema(
                    pointer: group.pointer, keyword: "oneOf",
                    reason: "cannot be enforced, because formats of its branches overlap")
            }
            applicators.groups[index].isExclusive = false
            let judged: JSONValue = .object([SchemaNegation.check: ["oneOf": group.value]])
            applicators.all.append(document.id(judged, at: SchemaDocument.child(group.pointer, "(one)")))
            return
        }
        let ids = branches.indices.map { branch -> ID in
            let others = opposites.indices.filter { $0 != branch }.map { opposites[$0] }
            let place = SchemaDocument.child(group.pointer, "(\(branch) alone)")
            return document.id(["allOf": .array([branches[branch]] + others)], at: place)
        }
        applicators.groups[index] = .init(id: overlap, branches: ids)
    }

    private static let depthLimit = 6
    /// The number of comparisons after which branches are assumed to overlap: it grows with the fifth power of the
    /// number of keys that recursive schemas require.
    private static let comparisonLimit = 20_000

    /// Whether it is certain that no value satisfies both.
    private func areDisjoint(_ a: SchemaShape, _ b: SchemaShape, depth: Int) throws(ConstraintError) -> Bool {
        if let values = Self.common(a.values, b.values) {
            // An evaluation may reject a valid value.
            guard a.checks.isEmpty, b.checks.isEmpty else { return false }
            var (a, b) = (a, b)
            (a.values, b.values) = (nil, nil)
            for value in values where try admits(value, a) {
                if try admits(value, b) { return false }
            }
            return true
        }
        for type in [SchemaTypes.null, .boolean, .number, .string, .array, .object]
        where !a.types.isDisjoint(with: type) && !b.types.isDisjoint(with: type) {
            switch type {
            case .number: guard areDisjoint(a, b, numbers: a.types.intersection(b.types)) else { return false }
            case .string: guard try areDisjoint(strings: a, b) else { return false }
            case .array: guard try areDisjoint(a.list, b.list, depth: depth) else { return false }
            case .object: guard try areDisjoint(a.object, b.object, depth: depth) else { return false }
            default: return false
            }
        }
        return true
    }

    /// The values in both lists; nil if there is no list.
    private static func common(_ a: [JSONValue]?, _ b: [JSONValue]?) -> [JSONValue]? {
        var shape = SchemaShape()
        for values in [a, b].compactMap({ $0 }) { shape.restrict(to: values) }
        return shape.values
    }

    private func areDisjoint(_ a: [ID], _ b: [ID], depth: Int) throws(ConstraintError) -> Bool {
        comparisonCount += 1
        guard depth < Self.depthLimit, comparisonCount <= Self.comparisonLimit else { return false }
        let (first, second) = (try comparedShapes(of: a), try comparedShapes(of: b))
        for left in first {
            for right in second {
                guard try areDisjoint(left, right, depth: depth + 1) else { return false }
            }
        }
        return true
    }

    private func areDisjoint(_ a: SchemaShape, _ b: SchemaShape, numbers: SchemaTypes) -> Bool {
        if numbers.isDisjoint(with: .number) { return true }
        func below(_ upper: NumberShape.Bound?, _ lower: NumberShape.Bound?) -> Bool {
            guard let upper, let lower else { return false }
            return upper.value < lower.value || (upper.value == lower.value && (upper.isStrict || lower.isStrict))
        }
        return below(a.number.maximum, b.number.minimum) || below(b.number.maximum, a.number.minimum)
    }

    private func areDisjoint(strings a: SchemaShape, _ b: SchemaShape) throws(ConstraintError) -> Bool {
        if let maximum = a.string.maximum, maximum < b.string.minimum { return true }
        if let maximum = b.string.maximum, maximum < a.string.minimum { return true }
        var both = SchemaShape()
        both.string = a.string
        both.string.patterns += b.string.patterns
        // Formats that some implementations treat as annotations exclude nothing.
        both.string.formats = (a.string.formats + b.string.formats).filter {
            Formats.definition($0.name)?.isStandard ?? false
        }
        both.string.excludedPatterns = a.string.excludedPatterns + b.string.excludedPatterns
        both.string.minimum = max(a.string.minimum, b.string.minimum)
        both.string.maximum = a.string.maximum.map { min($0, b.string.maximum ?? $0) } ?? b.string.maximum
        both.excluded = a.excluded + b.excluded
        do {
            _ = try strings(both)
            return false
        } catch {
            if case .contradiction = error { return true }
            return false
        }
    }

    private func areDisjoint(_ a: ListShape, _ b: ListShape, depth: Int) throws(ConstraintError) -> Bool {
        if let maximum = a.maximum, maximum < b.minimum { return true }
        if let maximum = b.maximum, maximum < a.minimum { return true }
        // An item that both require, but whose schemas exclude each other.
        for index in 0..<min(max(a.minimum, b.minimum), 16) {
            func ids(_ list: ListShape) -> [ID] {
                list.tables.compactMap { index < $0.prefix.count ? $0.prefix[index] : $0.rest }
            }
            if try areDisjoint(ids(a), ids(b), depth: depth) { return true }
        }
        return false
    }

    private func areDisjoint(_ a: ObjectShape, _ b: ObjectShape, depth: Int) throws(ConstraintError) -> Bool {
        if let maximum = a.maximum, maximum < max(b.minimum, b.required.count) { return true }
        if let maximum = b.maximum, maximum < max(a.minimum, a.required.count) { return true }
        // A key that one of them requires, but whose schemas exclude each other.
        for key in a.required.union(b.required) {
            let (left, right) = (try ids(of: key, a), try ids(of: key, b))
            if (left + right).contains(where: { document.schemas[$0].value == false }) { return true }
            if try areDisjoint(left, right, depth: depth) { return true }
        }
        return false
    }

    private func ids(of key: String, _ object: ObjectShape) throws(ConstraintError) -> [ID] {
        var result: [ID] = []
        for table in object.tables {
            var ids = table.properties[key].map { [$0] } ?? []
            for (text, reader, id) in table.patterns where try pattern(text, reader).accepts(key) { ids.append(id) }
            result += ids.isEmpty ? table.additional.map { [$0] } ?? [] : ids
        }
        return result
    }
}
