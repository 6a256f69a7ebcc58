import LeapJSON
import OrderedCollections
import _LeapTestSupport

/// Generates random schemas with many keywords, including contradictory and recursive ones.
struct RandomSchema {
    var generator: SeededRandomNumberGenerator
    private var names = ["a", "b", "name", "naïve", "x-1", "", "q\"\\"]

    init(seed: UInt64) { generator = SeededRandomNumberGenerator(seed: seed) }

    mutating func schema() -> JSONValue {
        var root: OrderedDictionary<String, JSONValue> = [:]
        if case .object(let members) = value(depth: 3) { root = members }
        root["$defs"] = ["one": value(depth: 2), "two": value(depth: 1)]
        return .object(root)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    private mutating func value(depth: Int) -> JSONValue {
        switch number(0...(depth > 0 ? 11 : 5)) {
        case 0: .object(["enum": .array((0...number(0...3)).map { _ in constant() })])
        case 1: numberSchema(integer: true)
        case 2: numberSchema(integer: false)
        case 3: text()
        case 4: .object(["type": .array([.string(pick(Self.types)), .string(pick(Self.types))])])
        case 5: .object(["$ref": .string(pick(["#/$defs/one", "#/$defs/two", "#"]))])
        case 6: list(depth)
        case 7, 8, 9: object(depth)
        case 10: .object([pick(["anyOf", "oneOf"]): .array((0...number(0...2)).map { _ in value(depth: depth - 1) })])
        default: .object(["allOf": .array([value(depth: depth - 1), value(depth: depth - 1)])])
        }
    }

    private static let types = ["null", "boolean", "integer", "number", "string"]

    private mutating func constant() -> JSONValue {
        pick(["a", "é\n", "😀", 1, 2.5, nil, true, -3, [1, "x"], ["k": 1], ""])
    }

    private mutating func numberSchema(integer: Bool) -> JSONValue {
        var schema: OrderedDictionary<String, JSONValue> = ["type": integer ? "integer" : "number"]
        let bounds: [JSONValue] = [-12, 0, 3, 99, 1000, 0.25, -0.5, 1e-3, 12345.678]
        if chance(50) { schema[pick(["minimum", "exclusiveMinimum"])] = pick(bounds) }
        if chance(50) { schema[pick(["maximum", "exclusiveMaximum"])] = pick(bounds) }
        if integer, chance(30) { schema["multipleOf"] = pick([2, 3, 7, 10]) }
        return .object(schema)
    }

    private mutating func text() -> JSONValue {
        var schema: OrderedDictionary<String, JSONValue> = ["type": "string"]
        if chance(40) {
            schema["pattern"] = pick([
                "^[a-z]+$", "^[A-Z]{2}[0-9]{1,3}$", "ab?c", "^(foo|bar)-[0-9]+$", "é|ü", "^.{2,6}$",
            ])
        }
        if chance(40) { schema["minLength"] = .integer(number(0...4)) }
        if chance(40) { schema["maxLength"] = .integer(number(2...20)) }
        return .object(schema)
    }

    private mutating func list(_ depth: Int) -> JSONValue {
        var schema: OrderedDictionary<String, JSONValue> = ["type": "array"]
        if chance(15) {
            return [
                "type": "array", "uniqueItems": true, "items": ["enum": ["a", "b", "c"]],
                "minItems": .integer(number(0...3)),
            ]
        }
        if chance(70) { schema["items"] = value(depth: depth - 1) }
        if chance(30) { schema["prefixItems"] = .array((0...number(0...1)).map { _ in value(depth: depth - 1) }) }
        if chance(40) { schema["minItems"] = .integer(number(0...3)) }
        if chance(40) { schema["maxItems"] = .integer(number(1...4)) }
        return .object(schema)
    }

    private mutating func object(_ depth: Int) -> JSONValue {
        var schema: OrderedDictionary<String, JSONValue> = ["type": "object"]
        names.shuffle(using: &generator)
        let declared = Array(names.prefix(number(0...4)))
        schema["properties"] = .object(
            OrderedDictionary(uniqueKeys: declared, values: declared.map { _ in value(depth: depth - 1) }))
        if chance(50) { schema["required"] = .array(declared.prefix(number(0...4)).map { .string($0) }) }
        if chance(50) { schema["additionalProperties"] = chance(60) ? false : value(depth: depth - 1) }
        if chance(25) {
            schema["patternProperties"] = .object([
                pick(["^x-", "^[a-c]$", "[0-9]", "^[a-z]{1,3}$"]): value(depth: depth - 1)
            ])
        }
        if chance(20) { schema["minProperties"] = .integer(number(0...3)) }
        if chance(20) { schema["maxProperties"] = .integer(number(1...4)) }
        if chance(10) { schema["propertyNames"] = pick([["maxLength": 5], ["pattern": "^[a-z]+$"]]) }
        return .object(schema)
    }
}
