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
        let later = ToolCall(name: "get_weather", arguments: ["unit": 1, "1": 2])
        #expect(Self.weather.named(later) == later)
    }

    @Test("a position and a name for one parameter are an argument too many")
    func twice() {
        let both = ToolCall(name: "get_weather", arguments: ["0": 1, "cities": 2])
        #expect(Self.weather.named(both) == both)
        #expect(Self.weather.parameterGivenTwice(in: both) == "cities")
        let one = ToolCall(name: "get_weather", arguments: ["0": 1, "unit": 2])
        #expect(Self.weather.parameterGivenTwice(in: one) == nil)
        let numbered = DeclaredFunction(name: "f", json: ["parameters": ["properties": ["0": [:]]]])
        #expect(numbered.parameterGivenTwice(in: ToolCall(name: "f", arguments: ["0": 1])) == nil)
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
        ("a # b", ["type": "array"], "a # b"), ("1", ["allOf": [["type": "string"]]], "1"),
        ("1", ["anyOf": [["enum": ["1", "2"]], ["type": "null"]]], "1"), ("1", ["oneOf": [["const": "1"]]], "1"),
        ("1", ["anyOf": [["anyOf": [["type": "string"], ["type": "null"]]], ["type": "null"]]], "1"),
        ("null", ["anyOf": [["anyOf": [["type": "string"], ["type": "null"]]], ["type": "null"]]], .null),
        ("1", ["anyOf": [["type": "string"], [:]]], 1), ("null", ["type": ["string", "null"], "enum": ["a"]], "null"),
        ("1", ["allOf": [["type": ["string", "integer"]], ["type": "string"]]], "1"), ("1", ["enum": [1, 2]], 1),
    ]

    private static let references: JSONValue = [
        "parameters": [
            "$defs": [
                "Zip": ["type": "string"], "a/b ~": ["$ref": "#/$defs/Zip"], "Loop": ["$ref": "#/$defs/Loop"],
                "Tree": ["anyOf": [["$ref": "#/$defs/Tree"], ["$ref": "#/$defs/Tree"], ["type": "string"]]],
                "Place": ["type": "object", "properties": ["zip": ["$ref": "#/$defs/Zip"]]],
            ],
            "properties": [
                "zip": ["$ref": "#/$defs/Zip"], "far": ["$ref": "#/%24defs/a~1b%20~0"],
                "maybe": ["anyOf": [["$ref": "#/$defs/Zip"], ["type": "null"]]],
                "all": ["allOf": [["$ref": "#/$defs/Zip"]]],
                "second": ["$ref": "#/properties/maybe/anyOf/0"], "loop": ["$ref": "#/$defs/Loop"],
                "tree": ["$ref": "#/$defs/Tree"], "none": ["$ref": "#/$defs/None"], "other": ["$ref": "a.json#/b"],
                "places": ["type": "array", "items": ["$ref": "#/$defs/Place"]],
            ],
        ]
    ]

    @Test("references to parts of a function's own schema are followed, at bounded cost")
    func followsReferences() {
        let function = DeclaredFunction(name: "f", json: Self.references)
        for name in ["zip", "far", "maybe", "all", "second"] {
            #expect(ArgumentText.value("12345", function.schema(of: name)) == "12345", "\(name)")
        }
        for name in ["loop", "tree", "none", "other", "unknown"] {
            #expect(ArgumentText.value("12345", function.schema(of: name)) == 12345, "\(name)")
        }
        let text = "#<item>#<zip>12345#</zip>#</item>"
        let places = NestedTags(prefix: "#").value(of: text, function.schema(of: "places"))
        #expect(places == [["zip": "12345"]])
    }

    @Test("unquoted text is converted to the schema's type", arguments: texts)
    func types(_ text: String, _ schema: JSONValue, _ expected: JSONValue) {
        #expect(ArgumentText.value(text, ParameterSchema(schema)) == expected)
    }

    @Test("text that is marked as a string or not is converted without regard to the schema")
    func attribute() {
        #expect(ArgumentText.value("42", ParameterSchema(["type": "integer"]), isString: true) == "42")
        #expect(ArgumentText.value("42", ParameterSchema(["type": "string"]), isString: false) == 42)
    }
}
