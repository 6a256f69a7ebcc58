import LeapJSON
import OrderedCollections

/// Compiles subschemas to assertions, for evaluation on complete values.
extension SchemaCompiler {
    /// The check for a subschema and everything that it refers to.
    ///
    /// - Throws: For keywords that cannot be evaluated.
    func check(of id: ID) throws(ConstraintError) -> SchemaChecks.ID {
        let result = pendingCheck(of: id)
        while let (check, id) = pendingChecks.popLast() {
            checks.schemas[check] = try assertions(document.schemas[id])
        }
        return result
    }

    private func pendingCheck(of id: ID) -> SchemaChecks.ID {
        if let known = checkOfSchema[id] { return known }
        let check = checks.schemas.count
        checks.schemas.append([])
        checkOfSchema[id] = check
        pendingChecks.append((check, id))
        return check
    }

    private func check(_ schema: (pointer: String, value: JSONValue)) -> SchemaChecks.ID {
        pendingCheck(of: document.id(schema.value, at: schema.pointer))
    }

    private func checks(_ schemas: [(pointer: String, value: JSONValue)]) -> [SchemaChecks.ID] {
        schemas.map { check($0) }
    }

    private func assertions(_ schema: SchemaDocument.Subschema) throws(ConstraintError) -> [Assertion] {
        switch schema.value {
        case .bool(let flag): return flag ? [] : [.never]
        case .object(let members):
            let hidesOthers = members["$ref"] != nil && document.draft.referencesHideOthers
            var result: [Assertion] = []
            for (keyword, value) in members {
                let reader = SchemaReader(pointer: schema.pointer, keyword: keyword, value: value)
                guard let assertion = try assertion(reader, members) else { continue }
                let isContested = !isDefined(keyword, members) || (hidesOthers && keyword != "$ref")
                result.append(isContested ? .contested(assertion) : assertion)
            }
            return result
        default: throw .schema(pointer: schema.pointer, keyword: "", reason: "must be an object, true or false")
        }
    }

    /// Whether the declared version defines a keyword, and the sibling keywords that change its meaning.
    private func isDefined(_ keyword: String, _ members: OrderedDictionary<String, JSONValue>) -> Bool {
        let keywords = keyword == "contains" ? [keyword, "minContains", "maxContains"] : [keyword]
        return keywords.allSatisfy { keyword in
            members[keyword].map { document.draft.defines(keyword, $0) } ?? true
        }
    }

    private func assertion(
        _ reader: SchemaReader, _ members: OrderedDictionary<String, JSONValue>
    ) throws(ConstraintError) -> Assertion? {
        switch reader.keyword {
        case "$ref", "$dynamicRef", "$recursiveRef": return .all([pendingCheck(of: try reference(reader))])
        case "allOf": return .all(checks(try reader.schemas()))
        case "anyOf": return .any(checks(try reader.schemas()))
        case "oneOf": return .one(checks(try reader.schemas()))
        case "not": return .not(check(try reader.schema()))
        case "if":
            func branch(_ keyword: String) throws(ConstraintError) -> SchemaChecks.ID? {
                guard let value = members[keyword] else { return nil }
                return check(try SchemaReader(pointer: reader.pointer, keyword: keyword, value: value).schema())
            }
            return .conditional(if: check(try reader.schema()), then: try branch("then"), else: try branch("else"))
        case "dependentRequired", "dependentSchemas", "dependencies": return try dependencies(reader)
        case SchemaNegation.check: return .all([check(try reader.schema())])
        default:
            if let assertion = try scalarAssertion(reader, members) { return assertion }
            if let assertion = try arrayAssertion(reader, members) { return assertion }
            return try objectAssertion(reader, members)
        }
    }

    private func dependencies(_ reader: SchemaReader) throws(ConstraintError) -> Assertion {
        guard let members = reader.value.object else { throw reader.refusal("must be an object") }
        let place = SchemaDocument.child(reader.pointer, reader.keyword)
        let parts = members.map { name, value -> SchemaChecks.ID in
            let pointer = SchemaDocument.child(place, name)
            let others = value.string == nil ? value : [value]
            let schema: JSONValue = others.array == nil ? others : ["required": others]
            let check = check((pointer, schema))
            checks.schemas.append([.dependent(name, check)])
            return checks.schemas.count - 1
        }
        return .all(parts)
    }
}

// MARK: - Scalars

extension SchemaCompiler {
    private func scalarAssertion(
        _ reader: SchemaReader, _ members: OrderedDictionary<String, JSONValue>
    ) throws(ConstraintError) -> Assertion? {
        switch reader.keyword {
        case "type":
            return .types(try types(reader), integersHaveNoPoint: document.draft.integersHaveNoPoint)
        case "enum":
            guard let values = reader.value.array else { throw reader.refusal("must be an array") }
            return .values(Set(values.map(JSONEquality.init)))
        case "const": return .values([JSONEquality(reader.value)])
        case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
            var shape = NumberShape()
            try mergeBound(reader, members, &shape)
            return .bounds(shape)
        case "multipleOf": return .multiple(of: try divisor(reader))
        case "minLength": return .length(minimum: try reader.count(), maximum: nil)
        case "maxLength": return .length(minimum: 0, maximum: try reader.count())
        case "pattern": return .pattern(try pattern(try reader.string(), reader))
        case "format": return try formatAssertion(reader)
        default:
            guard SchemaKeywords.unsupported[reader.keyword] == nil else {
                throw reader.refusal("cannot be enforced")
            }
            return nil
        }
    }

    /// Some implementations ignore formats; others interpret them more widely.
    private func formatAssertion(_ reader: SchemaReader) throws(ConstraintError) -> Assertion? {
        let name = try reader.string()
        if name == "regex" { return .contested(.expression) }
        guard let format = Formats.definition(name) else { return nil }
        let automaton = try self.format(format, reader)
        return .contested(.pattern([BoundedTexts(automaton: automaton, maximum: format.maximumLength)]))
    }
}

// MARK: - Arrays and objects

extension SchemaCompiler {
    private func arrayAssertion(
        _ reader: SchemaReader, _ members: OrderedDictionary<String, JSONValue>
    ) throws(ConstraintError) -> Assertion? {
        switch reader.keyword {
        case "prefixItems" where members["items"] == nil || document.draft.separatesPrefixes:
            return .items(prefix: checks(try reader.schemas()), rest: nil)
        case "items":
            let (prefix, rest) = try listParts(members, reader.pointer)
            return .items(prefix: prefix.map { check($0) }, rest: rest.map { check($0) })
        case "minItems": return .itemCount(minimum: try reader.count(), maximum: nil)
        case "maxItems": return .itemCount(minimum: 0, maximum: try reader.count())
        case "uniqueItems": return try reader.bool() ? .unique : nil
        case "contains":
            let (minimum, maximum) = try containedCounts(members, reader.pointer)
            return .contains(
                check(try reader.schema()), minimum: minimum, maximum: maximum,
                evaluates: document.draft.containsEvaluates)
        case "unevaluatedItems": return .unevaluatedItems(check(try reader.schema()))
        default: return nil
        }
    }

    private func objectAssertion(
        _ reader: SchemaReader, _ members: OrderedDictionary<String, JSONValue>
    ) throws(ConstraintError) -> Assertion? {
        switch reader.keyword {
        case "properties", "patternProperties", "additionalProperties":
            // The first of these keywords handles all of them.
            let first = members.keys.first { Self.memberKeywords.contains($0) }
            return first == reader.keyword ? .members(try memberTable(members, reader.pointer)) : nil
        case "minProperties": return .memberCount(minimum: try reader.count(), maximum: nil)
        case "maxProperties": return .memberCount(minimum: 0, maximum: try reader.count())
        case "required": return .required(try reader.strings())
        case "propertyNames": return .names(check(try reader.schema()))
        case "unevaluatedProperties": return .unevaluatedMembers(check(try reader.schema()))
        default: return nil
        }
    }

    private static let memberKeywords: Set<String> = ["properties", "patternProperties", "additionalProperties"]

    private func memberTable(
        _ members: OrderedDictionary<String, JSONValue>, _ pointer: String
    ) throws(ConstraintError) -> MemberTable {
        let reader = KeywordReader(keywords: members, pointer: pointer)
        var table = MemberTable()
        for (name, pointer, value) in try reader["properties"]?.namedSchemas() ?? [] {
            table.properties[Array(name.utf8)] = check((pointer, value))
        }
        if let patterns = reader["patternProperties"] {
            for (text, pointer, value) in try patterns.namedSchemas() {
                table.patterns.append((try pattern(text, patterns), check((pointer, value))))
            }
        }
        table.additional = try reader["additionalProperties"].map { reader throws(ConstraintError) in
            check(try reader.schema())
        }
        return table
    }
}
