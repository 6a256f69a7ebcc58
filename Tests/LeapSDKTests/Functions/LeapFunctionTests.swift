import Foundation
import LeapJSON
import LeapSDK
import Testing

@Suite("Functions")
struct LeapFunctionTests {
    /// The example of the function-calling pages, as written up to version 0.9.
    static let weather = LeapFunction(
        name: "get_weather", description: "Query the weather of cities",
        parameters: [
            LeapFunctionParameter(
                name: "cities", type: .array(ArrayType(itemType: .string(StringType(description: "A city")))),
                description: "Names of the cities"),
            LeapFunctionParameter(
                name: "unit", type: .string(StringType(description: "ignored", enumValues: ["celsius", "fahrenheit"])),
                description: "Temperature unit", optional: true),
        ])

    /// The same, as written in version 0.10.
    static let weather010 = LeapFunction(
        name: "get_weather", functionDescription: "Query the weather of cities",
        parameters: [
            LeapFunctionParameter(
                name: "cities",
                type: LeapFunctionParameterType.LeapArr(
                    itemType: LeapFunctionParameterType.LeapStr(enumValues: nil, description: "A city"),
                    description: nil),
                parameterDescription: "Names of the cities", optional: false),
            LeapFunctionParameter(
                name: "unit",
                type: LeapFunctionParameterType.LeapStr(enumValues: ["celsius", "fahrenheit"], description: "ignored"),
                parameterDescription: "Temperature unit", optional: true),
        ])

    private static let schema: JSONValue = [
        "name": "get_weather", "description": "Query the weather of cities",
        "parameters": [
            "type": "object",
            "properties": [
                "cities": [
                    "type": "array", "description": "Names of the cities",
                    "items": ["type": "string", "description": "A city"],
                ],
                "unit": [
                    "type": "string", "description": "Temperature unit", "enum": ["celsius", "fahrenheit"],
                ],
            ],
            "required": ["cities"],
        ],
    ]

    @Test("both API versions define the same function and JSON Schema")
    func spellings() throws {
        #expect(Self.weather == Self.weather010)
        #expect(Self.weather.json.text() == Self.schema.text())
        #expect(Self.weather.toolJSON == ["type": "function", "function": Self.schema])
        #expect(Self.weather.toJsonObject(withToolTypeWrapper: true)["type"] as? String == "function")
        #expect(Self.weather.toJsonObject(withToolTypeWrapper: false)["name"] as? String == "get_weather")
        #expect(Self.weather.description == Self.weather010.functionDescription)
    }

    @Test("every parameter type is encoded as its schema and decoded again")
    func types() throws {
        let types: [(LeapFunctionParameterType, String)] = [
            (.string(StringType()), #"{"type":"string"}"#),
            (.LeapStr(enumValues: ["a"], description: "x"), #"{"type":"string","description":"x","enum":["a"]}"#),
            (.number(NumberType(enumValues: [1, 2.5])), #"{"type":"number","enum":[1.0,2.5]}"#),
            (.LeapNum(enumValues: [NSNumber(value: 2.5)]), #"{"type":"number","enum":[2.5]}"#),
            (.LeapNum(enumValues: nil, description: nil), #"{"type":"number"}"#),
            (.integer(IntegerType(enumValues: [1, 2])), #"{"type":"integer","enum":[1,2]}"#),
            (.LeapInt(enumValues: [KotlinInt(int: 3)], description: nil), #"{"type":"integer","enum":[3]}"#),
            (.LeapInt(enumValues: nil, description: nil), #"{"type":"integer"}"#),
            (.boolean(BooleanType(description: "b")), #"{"type":"boolean","description":"b"}"#),
            (.LeapBool(description: nil), #"{"type":"boolean"}"#),
            (.null(NullType()), #"{"type":"null"}"#), (.LeapNull(), #"{"type":"null"}"#),
            (
                .object(
                    ObjectType(properties: ["b": .LeapNull(), "c": .LeapNull(), "a": .LeapNull()], required: ["c"])),
                #"{"type":"object","properties":{"c":{"type":"null"},"a":{"type":"null"},"b":{"type":"null"}},"#
                    + #""required":["c"]}"#
            ),
            (
                .LeapObj(properties: ["a": .LeapBool()], required: [], description: nil),
                #"{"type":"object","properties":{"a":{"type":"boolean"}},"required":[]}"#
            ),
        ]
        for (type, text) in types {
            #expect(type.json.text() == text)
            let data = try JSONEncoder().encode(type)
            #expect(try JSONDecoder().decode(LeapFunctionParameterType.self, from: data) == type)
        }
    }

    @Test("a function is read from an OpenAI tool definition with its complete schema")
    func fromJSON() throws {
        let wrapped = try LeapFunction(json: Self.weather.toolJSON)
        #expect(wrapped.json == Self.weather.json)
        #expect(try LeapFunction(json: wrapped.json) == wrapped)
        let data = try JSONEncoder().encode(Self.weather)
        #expect(try JSONDecoder().decode(LeapFunction.self, from: data).name == "get_weather")
        let rich = try JSONValue(
            parsing: #"{"name":"f","description":"","parameters":{"type":"object","properties":{"a":{"anyOf":[]}}}}"#)
        #expect(try LeapFunction(json: rich).json == rich)
        #expect(try LeapFunction(json: ["name": "f"]).parameters.isEmpty)
        for broken: JSONValue in [["description": "x"], ["name": "f", "parameters": 3]] {
            #expect(throws: LeapError.self) { try LeapFunction(json: broken) }
        }
    }

    private static let sorter = LeapFunction(
        name: "w", description: "Sorts.",
        parameters: [
            LeapFunctionParameter(
                name: "z", type: .LeapNum(enumValues: [1, 2.5]), description: "The last letter.", optional: true),
            LeapFunctionParameter(
                name: "b", type: .LeapObj(properties: ["y": .LeapBool(), "x": .LeapNull()], required: ["y", "x"]),
                description: "The second."),
            LeapFunctionParameter(name: "a", type: .LeapStr(), description: "The first."),
        ])

    @Test("a function is equal to itself after encoding and decoding, and is registered once")
    func roundTrip() async throws {
        let copy = try JSONDecoder().decode(LeapFunction.self, from: JSONEncoder().encode(Self.sorter))
        #expect(copy == Self.sorter && Set([copy, Self.sorter]).count == 1)
        var other = copy
        other.parameters[0].optional.toggle()
        #expect(other != copy)
        let conversation = try await load().createConversation()
        conversation.registerFunctions([Self.sorter, copy])
        let responses = try await collect(
            conversation.generateResponse(userTextMessage: "Hello", generationOptions: short))
        #expect(responses.completion != nil && conversation.functions == [Self.sorter])
    }

    @Test("parameters of a function read from JSON can be edited")
    func editing() throws {
        let rich: JSONValue = [
            "name": "f", "description": "",
            "parameters": [
                "type": "object", "additionalProperties": false, "properties": ["a": ["type": "string"]],
                "required": [],
            ],
        ]
        var function = try LeapFunction(json: rich)
        #expect(function.parametersSchema == rich["parameters"])
        function.parameters[0].description = "A letter."
        #expect(function.parametersSchema["properties"]?["a"]?["description"] == "A letter.")
        function.parameters = []
        #expect(function.parametersSchema == ["type": "object", "properties": [:], "required": []])
    }

    @Test(
        "valid function names are accepted, and invalid ones rejected",
        arguments: [
            ("get_weather", true), ("_x1", true), ("calendar.add", true), ("search-docs", true), ("größe", true),
            ("", false), ("get weather", false), ("1st", false), ("f()", false), ("a..b", false), ("a\n", false),
            ("<|im_end|>", false), (String(repeating: "x", count: 257), false),
        ])
    func names(_ name: String, _ isLegal: Bool) {
        let function = LeapFunction(name: name, description: "", parameters: [])
        if isLegal {
            #expect(throws: Never.self) { try function.validate() }
        } else {
            #expect(throws: LeapFunctionError.illegalName(name)) { try function.validate() }
        }
    }

    private static let faults: [(LeapFunction, String)] = [
        (
            LeapFunction(name: "f g", description: "", parameters: []),
            "a function cannot be named 'f g': use letters, digits and underscores, not starting with a digit"
        ),
        (
            LeapFunction(
                name: "f", description: "",
                parameters: [LeapFunctionParameter(name: "", type: .LeapNull(), description: "")]),
            "a parameter of function 'f' has no name: give it one"
        ),
        (
            LeapFunction(
                name: "f", description: "",
                parameters: [
                    LeapFunctionParameter(name: "a", type: .LeapNull(), description: ""),
                    LeapFunctionParameter(name: "a", type: .LeapBool(), description: ""),
                ]), "two parameters of function 'f' are named 'a': rename one of them"
        ),
        (
            LeapFunction(
                name: "f", description: "",
                parameters: [
                    LeapFunctionParameter(
                        name: "a", type: .LeapArr(itemType: .LeapObj(properties: [:], required: ["b"])), description: ""
                    )
                ]),
            "function 'f' requires 'b', which is not a property of its object: describe the property"
        ),
    ]

    @Test("an invalid function definition is rejected with the reason", arguments: faults)
    func reasons(_ function: LeapFunction, _ text: String) {
        let error = #expect(throws: LeapFunctionError.self) { try function.validate() }
        #expect(error?.description == text)
    }
}
