import LeapJSON
import OrderedCollections

/// Merges the keywords of subschemas that hold jointly.
extension SchemaCompiler {
    func shape(of members: [ID]) throws(ConstraintError) -> SchemaShape {
        var shape = SchemaShape()
        for id in members {
            guard case .object(let keywords) = document.schemas[id].value else { continue }
            let pointer = document.schemas[id].pointer
            try mergeList(keywords, pointer, &shape)
            try mergeObject(keywords, pointer, &shape)
            for (keyword, value) in keywords where !SchemaKeywords.onlyAnnotations.contains(keyword) {
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
        case "multipleOf": try mergeDivisor(reader, &shape)
        case "minLength": shape.string.minimum = max(shape.string.minimum, try reader.count())
        case "maxLength": shape.string.maximum = least(shape.string.maximum, try reader.count())
        case "pattern": shape.string.patterns.append((try reader.string(), reader))
        case SchemaNegation.excludedPattern:
            shape.string.excludedPatterns.append((try reader.string(), reader))
        case "format": try mergeFormat(reader, &shape)
        case "contentEncoding": try mergeEncoding(reader, &shape)
        case "contentMediaType":
            if document.draft.assertsContents, try reader.string().contains("json") {
                throw reader.refusal("cannot be enforced")
            }
        case "uniqueItems": shape.list.isUnique = try reader.bool() || shape.list.isUnique
        case "minItems": shape.list.minimum = max(shape.list.minimum, try reader.count())
        case "maxItems": shape.list.maximum = least(shape.list.maximum, try reader.count())
        case "minProperties": shape.object.minimum = max(shape.object.minimum, try reader.count())
        case "maxProperties": shape.object.maximum = least(shape.object.maximum, try reader.count())
        case "required": shape.object.required.formUnion(try reader.strings())
        case "contains": try mergeContains(reader, keywords, &shape)
        case SchemaNegation.check: judge(reader.keyword, reader, .all, &shape)
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
            SchemaKeywords.applicators.contains(reader.keyword) || Self.tableKeywords.contains(reader.keyword)
        if !isKnown { unknownKeywords.insert(SchemaDocument.child(reader.pointer, reader.keyword)) }
    }

    func types(_ reader: SchemaReader) throws(ConstraintError) -> SchemaTypes {
        let names = reader.value.string.map { [$0] } ?? reader.value.array?.map { $0.string ?? "?" }
        guard let names else { throw reader.refusal("must be a type name or an array of type names") }
        var types: SchemaTypes = []
        for name in names {
            guard let type = SchemaTypes(name: name) else {
                throw reader.refusal("contains the unknown type '\(name)'")
            }
            types.formUnion(type)
        }
        return types
    }

    private func least(_ a: Int?, _ b: Int) -> Int { min(a ?? b, b) }

    /// With a boolean `exclusiveMinimum`, as in draft 4, the bound is `minimum`.
    func mergeBound(
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

    func divisor(_ reader: SchemaReader) throws(ConstraintError) -> Decimal10 {
        let value = try reader.decimal()
        guard !value.isNegative, !value.isZero else { throw reader.refusal("must be above 0") }
        return value
    }

    private func mergeDivisor(_ reader: SchemaReader, _ shape: inout SchemaShape) throws(ConstraintError) {
        let divisor = try divisor(reader)
        if let integer = divisor.int, integer <= Self.divisorLimit {
            shape.number.multiples.append(integer)
            shape.divisions.append(alone("multipleOf", reader))
        } else {
            shape.number.places = least(shape.number.places, divisor.fraction.count)
            judge("multipleOf", reader, .number, &shape)
        }
    }

    /// Leaves a single keyword to the evaluation of complete values.
    private func judge(
        _ keyword: String, _ reader: SchemaReader, _ types: SchemaTypes, _ shape: inout SchemaShape
    ) {
        shape.checks.append((alone(keyword, reader), types))
    }

    /// A subschema with only this keyword.
    private func alone(_ keyword: String, _ reader: SchemaReader) -> ID {
        let place = SchemaDocument.child(SchemaDocument.child(reader.pointer, keyword), "(alone)")
        return document.id(.object([keyword: reader.value]), at: place)
    }

    /// The highest `minContains` that the automaton counts. Higher ones are only evaluated on the complete array,
    /// because the number of states multiplies with the count.
    private static let containedLimit = 8

    /// At least `minContains` items, at any index, plus an evaluation of the complete array.
    private func mergeContains(
        _ reader: SchemaReader, _ keywords: OrderedDictionary<String, JSONValue>, _ shape: inout SchemaShape
    ) throws(ConstraintError) {
        let (minimum, maximum) = try containedCounts(keywords, reader.pointer)
        shape.list.minimum = max(shape.list.minimum, minimum)
        guard minimum > 0 || maximum != nil else { return }
        if minimum <= Self.containedLimit, shape.list.contained == nil {
            let (pointer, value) = try reader.schema()
            var contained = ContainedShape(item: document.id(value, at: pointer), minimum: minimum)
            // The two sides of the partition together permit fewer spellings of numbers than the whole.
            if let maximum, maximum <= Self.containedLimit, !reading.permitsAnySpelling,
                let others = SchemaNegation.opposite(of: value, document.draft)
            {
                let place = SchemaDocument.child(pointer, "(negated)")
                contained.limit = (maximum, document.id(others, at: place))
            }
            if minimum > 0 || contained.limit != nil { shape.list.contained = contained }
        }
        let alone = keywords.filter { ["contains", "minContains", "maxContains"].contains($0.key) }
        let place = SchemaDocument.child(SchemaDocument.child(reader.pointer, "contains"), "(alone)")
        shape.checks.append((document.id(.object(alone), at: place), .array))
    }

    func containedCounts(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String
    ) throws(ConstraintError) -> (minimum: Int, maximum: Int?) {
        func count(_ keyword: String) throws(ConstraintError) -> Int? {
            guard let value = keywords[keyword] else { return nil }
            return try SchemaReader(pointer: pointer, keyword: keyword, value: value).count()
        }
        return (try count("minContains") ?? 1, try count("maxContains"))
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
        case "regex": judge("format", reader, .string, &shape)
        case _ where Formats.definition(name) != nil: shape.string.formats.append((name, reader))
        case _ where Formats.unrestricted.contains(name): break
        default: unknownKeywords.insert(SchemaDocument.child(reader.pointer, "format"))
        }
    }

    /// An annotation that is enforced nevertheless: before draft 2019-09, contents could be validated.
    private func mergeEncoding(_ reader: SchemaReader, _ shape: inout SchemaShape) throws(ConstraintError) {
        guard try reader.string() == "base64" else { return }
        shape.string.formats.append(("byte", reader))
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

    private func id(_ schema: Place?) -> ID? {
        schema.map { document.id($0.value, at: $0.pointer) }
    }

    private func mergeList(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String, _ shape: inout SchemaShape
    ) throws(ConstraintError) {
        let reader = KeywordReader(keywords: keywords, pointer: pointer)
        let parts = try listParts(keywords, pointer)
        let prefix = ids(parts.prefix)
        var rest = id(parts.rest)
        if let unevaluated = reader["unevaluatedItems"], unevaluated.value != true {
            if keywords.keys.contains(where: SchemaKeywords.inPlace.contains) || keywords["contains"] != nil {
                shape.checks.append((document.id(.object(keywords), at: pointer), .array))
                if rest == nil { rest = containedOrUnevaluated(keywords, pointer) }
            } else if rest == nil {
                rest = id(try unevaluated.schema())
            }
        }
        if !prefix.isEmpty || rest != nil { shape.list.tables.append((prefix, rest)) }
        if prefix.isEmpty, let others = reader["prefixItems"] {
            shape.list.tables.append((ids(try others.schemas()), nil))
        }
    }

    /// Names are constrained by an automaton or, if that is not possible, evaluated when the object is complete.
    private func mergeNames(_ reader: SchemaReader, _ shape: inout SchemaShape) throws(ConstraintError) {
        let (pointer, value) = try reader.schema()
        let id = document.id(value, at: pointer)
        do {
            _ = try names(id)
            shape.object.nameSchemas.append(id)
        } catch {
            shape.object.asksForOthers = true
            judge(reader.keyword, reader, .object, &shape)
        }
    }

    /// The schema of all further items if `contains` is the only keyword that evaluates some of them; otherwise nil.
    private func containedOrUnevaluated(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String
    ) -> ID? {
        guard !reading.permitsAnySpelling, document.draft.containsEvaluates,
            !keywords.keys.contains(where: SchemaKeywords.inPlace.contains),
            let contained = keywords["contains"], let unevaluated = keywords["unevaluatedItems"]
        else { return nil }
        let place = SchemaDocument.child(SchemaDocument.child(pointer, "unevaluatedItems"), "(or contained)")
        return document.id(["anyOf": [contained, unevaluated]], at: place)
    }

    /// The schemas of the first items, and of all further ones.
    func listParts(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String
    ) throws(ConstraintError) -> (prefix: [Place], rest: Place?) {
        let reader = KeywordReader(keywords: keywords, pointer: pointer)
        // In drafts up to 2019-09, an array in `items` has the meaning of today's `prefixItems`.
        if let items = reader["items"], items.value.array != nil {
            return (try items.schemas(), try reader["additionalItems"]?.schema())
        }
        let hasOwnPrefix = !document.draft.separatesPrefixes || keywords["items"] == nil
        return (hasOwnPrefix ? try reader["prefixItems"]?.schemas() ?? [] : [], try reader["items"]?.schema())
    }

    typealias Place = (pointer: String, value: JSONValue)

    private func mergeObject(
        _ keywords: OrderedDictionary<String, JSONValue>, _ pointer: String, _ shape: inout SchemaShape
    ) throws(ConstraintError) {
        let reader = KeywordReader(keywords: keywords, pointer: pointer)
        var table = ObjectShape.Table()
        for (name, pointer, value) in try reader["properties"]?.namedSchemas() ?? [] {
            table.properties[name] = document.id(value, at: pointer)
        }
        if let patterns = reader["patternProperties"] {
            for (pattern, pointer, value) in try patterns.namedSchemas() {
                let place = SchemaReader(pointer: patterns.pointer, keyword: "patternProperties", value: patterns.value)
                table.patterns.append((pattern, place, document.id(value, at: pointer)))
            }
        }
        table.additional = id(try reader["additionalProperties"]?.schema())
        if let unevaluated = keywords["unevaluatedProperties"], unevaluated != false {
            shape.object.asksForOthers = true
        }
        if let unevaluated = reader["unevaluatedProperties"], unevaluated.value != true {
            if keywords.keys.contains(where: SchemaKeywords.inPlace.contains) {
                shape.checks.append((document.id(.object(keywords), at: pointer), .object))
            } else if table.additional == nil {
                table.additional = id(try unevaluated.schema())
            }
        }
        if let names = reader["propertyNames"] { try mergeNames(names, &shape) }
        if !table.properties.isEmpty || !table.patterns.isEmpty || table.additional != nil {
            shape.object.tables.append(table)
        }
    }
}

extension SchemaShape {
    /// Restricts the values to those that are also in `allowed`.
    mutating func restrict(to allowed: [JSONValue]) {
        guard let values else {
            self.values = allowed
            return
        }
        let keys = Set(allowed.map { JSONEquality($0) })
        self.values = values.filter { keys.contains(JSONEquality($0)) }
    }

    /// Whether only the list of values and the types restrict what is valid.
    var isValuesOnly: Bool {
        values != nil && excluded.isEmpty && number.isFree && string.isFree && list.isFree && object.isFree
            && unsupported.isEmpty && checks.isEmpty
    }
}
