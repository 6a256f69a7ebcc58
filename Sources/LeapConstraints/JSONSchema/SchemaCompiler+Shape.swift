import LeapJSON
import OrderedCollections

/// Merging the keywords of subschemas that hold together.
extension SchemaCompiler {
    func shape(of members: [ID]) throws(ConstraintError) -> SchemaShape {
        var shape = SchemaShape()
        for id in members {
            guard case .object(let keywords) = document.schemas[id].value else { continue }
            let pointer = document.schemas[id].pointer
            try mergeList(keywords, pointer, &shape)
            try mergeObject(keywords, pointer, &shape)
            for (keyword, value) in keywords {
                let reader = SchemaReader(pointer: pointer, keyword: keyword, value: value)
                try merge(reader, keywords, &shape)
            }
        }
        return shape
    }

    private func merge(
        _ reader: SchemaReader, _ keywords: OrderedDictionary<String, JSONValue>, _ shape: inout SchemaShape
    ) throws(ConstraintError) {
        shape.places[reader.keyword] = shape.places[reader.keyword] ?? reader.pointer
        switch reader.keyword {
        case "type": shape.types.formIntersection(try types(reader))
        case SchemaNegation.excludedTypes: shape.types.subtract(try types(reader))
        case "enum":
            guard let values = reader.value.array else { throw reader.refusal("must be an array") }
            shape.restrict(to: values)
        case "const": shape.restrict(to: [reader.value])
        case SchemaNegation.excludedValues: shape.excluded += reader.value.array ?? []
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            try mergeBound(reader, keywords, &shape.number)
        case "multipleOf": shape.number.multiples.append(try divisor(reader))
        case "minLength": shape.string.minimum = max(shape.string.minimum, try reader.count())
        case "maxLength": shape.string.maximum = least(shape.string.maximum, try reader.count())
        case "pattern": shape.string.patterns.append((try reader.string(), reader))
        case SchemaNegation.excludedPattern:
            shape.string.excludedPatterns.append((try reader.string(), reader))
        case "format": try mergeFormat(reader, &shape)
        case "contentEncoding": try mergeEncoding(reader, &shape)
        case "contentMediaType": try mergeMediaType(reader, &shape)
        case "uniqueItems": shape.list.isUnique = try reader.bool() || shape.list.isUnique
        case "minItems": shape.list.minimum = max(shape.list.minimum, try reader.count())
        case "maxItems": shape.list.maximum = least(shape.list.maximum, try reader.count())
        case "minProperties": shape.object.minimum = max(shape.object.minimum, try reader.count())
        case "maxProperties": shape.object.maximum = least(shape.object.maximum, try reader.count())
        case "required": shape.object.required.formUnion(try reader.strings())
        default: mergeOther(reader, &shape)
        }
    }

    private func mergeOther(_ reader: SchemaReader, _ shape: inout SchemaShape) {
        guard let types = SchemaKeywords.unsupported[reader.keyword] else {
            return note(reader)
        }
        shape.unsupported.append((reader.refusal("cannot be enforced"), types))
    }

    private func note(_ reader: SchemaReader) {
        let isKnown =
            SchemaKeywords.annotations.contains(reader.keyword) || SchemaKeywords.applicators.contains(reader.keyword)
            || Self.tableKeywords.contains(reader.keyword)
        if !isKnown { unknownKeywords.insert(SchemaDocument.child(reader.pointer, reader.keyword)) }
    }

    private func types(_ reader: SchemaReader) throws(ConstraintError) -> SchemaTypes {
        let names = reader.value.string.map { [$0] } ?? reader.value.array?.map { $0.string ?? "?" }
        guard let names else { throw reader.refusal("must be a type's name or an array of names") }
        var types: SchemaTypes = []
        for name in names {
            guard let type = SchemaTypes(name: name) else { throw reader.refusal("names the unknown type '\(name)'") }
            types.formUnion(type)
        }
        return types
    }

    private func least(_ a: Int?, _ b: Int) -> Int { min(a ?? b, b) }

    /// With a boolean `exclusiveMinimum`, as in draft 4, the bound is `minimum`.
    private func mergeBound(
        _ reader: SchemaReader, _ keywords: OrderedDictionary<String, JSONValue>, _ shape: inout NumberShape
    ) throws(ConstraintError) {
        if case .bool = reader.value, reader.keyword.hasPrefix("exclusive") { return }
        let value = try reader.decimal()
        switch reader.keyword {
        case "minimum": shape.raiseMinimum(.init(value: value, isStrict: keywords["exclusiveMinimum"] == true))
        case "maximum": shape.lowerMaximum(.init(value: value, isStrict: keywords["exclusiveMaximum"] == true))
        case "exclusiveMinimum": shape.raiseMinimum(.init(value: value, isStrict: true))
        default: shape.lowerMaximum(.init(value: value, isStrict: true))
        }
    }

    private func divisor(_ reader: SchemaReader) throws(ConstraintError) -> Int {
        let value = try reader.decimal()
        guard !value.isNegative, !value.isZero else { throw reader.refusal("must be above 0") }
        guard value.isInteger, let divisor = value.int else {
            throw reader.refusal("can be enforced for integers only")
        }
        return divisor
    }

    private func mergeFormat(_ reader: SchemaReader, _ shape: inout SchemaShape) throws(ConstraintError) {
        let name = try reader.string()
        switch name {
        case "int32", "int64":
            let (low, high) = name == "int32" ? (Int(Int32.min), Int(Int32.max)) : (.min, .max)
            guard let low = Decimal10(.integer(low)), let high = Decimal10(.integer(high)) else { return }
            shape.number.raiseMinimum(.init(value: low, isStrict: false))
            shape.number.lowerMaximum(.init(value: high, isStrict: false))
        case "float", "double": break
        default: shape.string.formats.append((name, reader))
        }
    }

    /// Before draft 2019-09, contents could be validated; what is permitted is valid under all drafts.
    private func mergeEncoding(_ reader: SchemaReader, _ shape: inout SchemaShape) throws(ConstraintError) {
        guard try reader.string() == "base64" else {
            return shape.unsupported.append((reader.refusal("cannot be enforced"), .string))
        }
        shape.string.formats.append(("byte", reader))
    }

    private func mergeMediaType(_ reader: SchemaReader, _ shape: inout SchemaShape) throws(ConstraintError) {
        guard try reader.string().contains("json") else { return }
        shape.unsupported.append((reader.refusal("cannot be enforced"), .string))
    }
}

// MARK: - Lists and objects

extension SchemaCompiler {
    static let tableKeywords: Set<String> = [
        "items", "prefixItems", "additionalItems", "properties", "patternProperties", "additionalProperties",
        "propertyNames", "unevaluatedItems", "unevaluatedProperties",
    ]

    private func ids(_ schemas: [(pointer: String, value: JSONValue)]) -> [ID] {
        schemas.map { document.id($0.value, at: $0.pointer) }
    }

    private func mergeList(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String, _ shape: inout SchemaShape
    ) throws(ConstraintError) {
        func reader(_ keyword: String) -> SchemaReader? {
            keywords[keyword].map { SchemaReader(pointer: pointer, keyword: keyword, value: $0) }
        }
        func id(_ keyword: String) throws(ConstraintError) -> ID? {
            guard let (pointer, value) = try reader(keyword)?.schema() else { return nil }
            return document.id(value, at: pointer)
        }
        var prefix: [ID] = []
        var rest: ID?
        if let items = reader("items"), items.value.array != nil {
            // Drafts up to 2019-09: an array here is what prefixItems became.
            prefix = ids(try items.schemas())
            rest = try id("additionalItems")
        } else {
            if let items = reader("prefixItems") { prefix = ids(try items.schemas()) }
            rest = try id("items")
        }
        if let unevaluated = reader("unevaluatedItems"), unevaluated.value != true {
            if keywords.keys.contains(where: SchemaKeywords.inPlace.contains) || keywords["contains"] != nil {
                shape.unsupported.append((unevaluated.refusal("cannot be enforced beside other applicators"), .array))
            } else if rest == nil {
                rest = try id("unevaluatedItems")
            }
        }
        if !prefix.isEmpty || rest != nil { shape.list.tables.append((prefix, rest)) }
    }

    private func mergeObject(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String, _ shape: inout SchemaShape
    ) throws(ConstraintError) {
        func reader(_ keyword: String) -> SchemaReader? {
            keywords[keyword].map { SchemaReader(pointer: pointer, keyword: keyword, value: $0) }
        }
        func id(_ keyword: String) throws(ConstraintError) -> ID? {
            guard let (pointer, value) = try reader(keyword)?.schema() else { return nil }
            return document.id(value, at: pointer)
        }
        var table = ObjectShape.Table()
        for (name, pointer, value) in try reader("properties")?.namedSchemas() ?? [] {
            table.properties[name] = document.id(value, at: pointer)
        }
        if let patterns = reader("patternProperties") {
            for (pattern, pointer, value) in try patterns.namedSchemas() {
                let place = SchemaReader(pointer: patterns.pointer, keyword: "patternProperties", value: patterns.value)
                table.patterns.append((pattern, place, document.id(value, at: pointer)))
            }
        }
        table.additional = try id("additionalProperties")
        if let unevaluated = reader("unevaluatedProperties"), unevaluated.value != true {
            if keywords.keys.contains(where: SchemaKeywords.inPlace.contains) {
                shape.unsupported.append((unevaluated.refusal("cannot be enforced beside other applicators"), .object))
            } else if table.additional == nil {
                table.additional = try id("unevaluatedProperties")
            }
        }
        if let names = try id("propertyNames") { shape.object.nameSchemas.append(names) }
        if !table.properties.isEmpty || !table.patterns.isEmpty || table.additional != nil {
            shape.object.tables.append(table)
        }
    }
}

extension SchemaShape {
    /// Keeps the values that `allowed` has as well.
    mutating func restrict(to allowed: [JSONValue]) {
        guard let values else {
            self.values = allowed
            return
        }
        let keys = Set(allowed.map(JSONEquality.init))
        self.values = values.filter { keys.contains(JSONEquality($0)) }
    }

    /// Whether nothing but the list of values and types limits what is valid.
    var isValuesOnly: Bool {
        values != nil && excluded.isEmpty && number.isFree && string.isFree && list.isFree && object.isFree
            && unsupported.isEmpty
    }
}

/// A value that equals others as JSON Schema has it: numbers by their value, objects whatever the order of their keys.
struct JSONEquality: Hashable {
    private let canonical: [UInt8]

    init(_ value: JSONValue) {
        canonical = Array(Self.normalized(value).text(JSONFormat(sortsKeys: true)).utf8)
    }

    private static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number: Decimal10(value)?.int.map { .integer($0) } ?? value
        case .array(let elements): .array(elements.map(normalized))
        case .object(let members): .object(members.mapValues(normalized))
        default: value
        }
    }
}
