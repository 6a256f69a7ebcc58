import LeapJSON
import OrderedCollections
import Testing

@testable import LeapChat

@Suite("Declared functions")
struct DeclaredFunctionTests {
    private static let weather = DeclaredFunction(
        name: "get_weather",
        json: [
            "type": "function",
            "function": [
                "name": "get_weather",
                "parameters": ["type": "object", "properties": ["cities": ["type": "array"], "unit": [:]]],
            ],
        ])

    @Test("a positional argument gets its parameter's name")
    func positions() {
        let call = ToolCall(name: "get_weather", arguments: ["0": ["Rome"], "1": "celsius", "2": 3])
        #expect(Self.weather.named(call).arguments == ["cities": ["Rome"], "unit": "celsius", "2": 3])
        let both = ToolCall(name: "get_weather", arguments: ["0": 1, "cities": 2])
        #expect(Self.weather.named(both) == both)
    }

    private static let texts: [(String, JSONValue, JSONValue)] = [
        ("42", ["type": "string"], "42"), ("42", ["type": "integer"], 42), ("42", ["type": "number"], 42),
        ("null", ["type": ["string", "null"]], .null), ("a", ["type": ["string", "null"]], "a"),
        ("true", ["type": ["string", "integer"]], "true"), ("True", ["type": "boolean"], true),
        ("celsius", ["enum": ["celsius", "kelvin"]], "celsius"),
        ("{\"a\": 1}", ["type": ["string", "object"]], ["a": 1]),
        ("{a", ["type": ["string", "object"]], "{a"), ("5", ["oneOf": [["type": "integer"], ["type": "object"]]], 5),
        ("[1]", [:], [1]), ("x", ["type": "integer"], "x"),
        ("['a', True]", ["type": "array"], ["a", true]), ("{'a': None}", ["type": "object"], ["a": .null]),
        ("['a']", ["type": ["array", "null"]], ["a"]), ("['a']", ["type": ["array", "string"]], ["a"]),
        ("['a']", ["type": "object"], "['a']"), ("['a']", [:], "['a']"), ("['a'", ["type": "array"], "['a'"),
        ("a # b", ["type": "array"], "a # b"),
    ]

    @Test("unquoted text is converted to the schema's type", arguments: texts)
    func types(_ text: String, _ schema: JSONValue, _ expected: JSONValue) {
        #expect(ArgumentText.value(text, schema) == expected)
    }

    @Test("text that is marked as a string or not is converted without regard to the schema")
    func attribute() {
        #expect(ArgumentText.value("42", ["type": "integer"], isString: true) == "42")
        #expect(ArgumentText.value("42", ["type": "string"], isString: false) == 42)
    }
}
