import LeapJSON
import OrderedCollections

/// Expresses the negation of a schema as a schema.
///
/// A value fails a schema by failing one of its keywords, so the negation is an `anyOf` of the keywords' negations.
enum SchemaNegation {
    /// Internal keywords that JSON Schema has no equivalent for. Document authors cannot use their names by accident.
    static let excludedTypes = "(not type)"
    static let excludedValues = "(not enum)"
    static let excludedPattern = "(not pattern)"

    /// For a schema by which complete values are evaluated.
    static let check = "(check)"

    /// The negation of a schema, if necessary by evaluating complete values.
    static func negated(_ schema: JSONValue, _ draft: SchemaDraft) -> JSONValue {
        opposite(of: schema, draft) ?? .object([check: ["not": schema]])
    }

    /// The negation of a schema in terms that automata can express; nil if there is none.
    static func opposite(of schema: JSONValue, _ draft: SchemaDraft) -> JSONValue? {
        switch schema {
        case .bool(let flag): return .bool(!flag)
        case .object(let members):
            var branches: [JSONValue] = []
            for (keyword, value) in members where !SchemaKeywords.annotations.contains(keyword) {
                guard draft.defines(keyword, value), let negated = opposite(of: keyword, value, members, draft) else {
                    return nil
                }
                branches.append(negated)
            }
            return branches.isEmpty ? false : branches.count == 1 ? branches[0] : ["anyOf": .array(branches)]
        default: return nil
        }
    }

    private static func opposite(
        of keyword: String, _ value: JSONValue, _ members: OrderedDictionary<String, JSONValue>, _ draft: SchemaDraft
    ) -> JSONValue? {
        switch keyword {
        case "type": .object([excludedTypes: value])
        case "const": .object([excludedValues: .array([value])])
        case "enum": value.array == nil ? nil : .object([excludedValues: value])
        case "required": negatedRequired(value)
        case "properties": negatedProperties(value, draft)
        case "not": value
        case "anyOf": all(value, draft)
        case "allOf": any(value, draft)
        case "minimum" where members["exclusiveMinimum"] == nil: .object(["type": "number", "exclusiveMaximum": value])
        case "maximum" where members["exclusiveMaximum"] == nil: .object(["type": "number", "exclusiveMinimum": value])
        case "exclusiveMinimum" where number(value): .object(["type": "number", "maximum": value])
        case "exclusiveMaximum" where number(value): .object(["type": "number", "minimum": value])
        case "pattern": .object(["type": "string", excludedPattern: value])
        case "minLength": bounded("string", "maxLength", value, by: -1)
        case "maxLength": bounded("string", "minLength", value, by: 1)
        case "minItems": bounded("array", "maxItems", value, by: -1)
        case "maxItems": bounded("array", "minItems", value, by: 1)
        case "minProperties": bounded("object", "maxProperties", value, by: -1)
        case "maxProperties": bounded("object", "minProperties", value, by: 1)
        default: nil
        }
    }

    private static func number(_ value: JSONValue) -> Bool { Decimal10(value) != nil }

    private static func negatedRequired(_ value: JSONValue) -> JSONValue? {
        guard let keys = value.array, keys.allSatisfy({ $0.string != nil }) else { return nil }
        let branches = keys.compactMap(\.string).map { key -> JSONValue in
            ["type": "object", "properties": .object([key: false])]
        }
        return ["anyOf": .array(branches.isEmpty ? [false] : branches)]
    }

    private static func negatedProperties(_ value: JSONValue, _ draft: SchemaDraft) -> JSONValue? {
        guard let properties = value.object else { return nil }
        var branches: [JSONValue] = []
        for (key, schema) in properties {
            guard let negated = opposite(of: schema, draft) else { return nil }
            branches.append([
                "type": "object", "required": .array([.string(key)]), "properties": .object([key: negated]),
            ])
        }
        return ["anyOf": .array(branches.isEmpty ? [false] : branches)]
    }

    private static func all(_ value: JSONValue, _ draft: SchemaDraft) -> JSONValue? {
        opposites(value, draft).map { ["allOf": .array($0)] }
    }

    private static func any(_ value: JSONValue, _ draft: SchemaDraft) -> JSONValue? {
        opposites(value, draft).map { ["anyOf": .array($0.isEmpty ? [false] : $0)] }
    }

    private static func opposites(_ value: JSONValue, _ draft: SchemaDraft) -> [JSONValue]? {
        guard let schemas = value.array else { return nil }
        let opposites = schemas.compactMap { opposite(of: $0, draft) }
        return opposites.count == schemas.count ? opposites : nil
    }

    private static func bounded(_ type: String, _ keyword: String, _ value: JSONValue, by step: Int) -> JSONValue? {
        guard case .integer(let count) = value, count >= 0, count < .max else { return nil }
        return count + step < 0 ? false : .object(["type": .string(type), keyword: .integer(count + step)])
    }
}
