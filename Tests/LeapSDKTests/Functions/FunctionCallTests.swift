import Foundation
import LeapChat
import LeapJSON
import LeapSDK
import Testing

@Suite("Function calls")
struct FunctionCallTests {
    private static let weather = LeapFunctionTests.weather

    private static let problems: [(JSONValue, [String])] = [
        (["cities": ["Paris"]], []),
        (["cities": ["Paris"], "unit": "celsius"], []),
        ([:], ["argument 'cities' is missing"]),
        (["cities": "Paris"], [#"argument 'cities' must be of type array, found "Paris""#]),
        (["cities": ["Paris", 3]], ["argument 'cities[1]' must be of type string, found 3"]),
        (
            ["cities": [], "unit": "kelvin", "when": 1],
            [
                #"argument 'unit' must be one of "celsius", "fahrenheit", found "kelvin""#,
                "unknown argument 'when'; known arguments: 'cities', 'unit'",
            ]
        ),
    ]

    @Test("problems with a call's arguments are described in words", arguments: problems)
    func argumentProblems(_ arguments: JSONValue, _ expected: [String]) {
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: arguments)
        #expect(Self.weather.problems(in: call).map(\.description) == expected)
    }

    @Test("arguments are checked against a schema that was read from JSON")
    func schema() throws {
        let function = try LeapFunction(
            json: JSONValue(
                parsing: #"""
                    {"name": "f", "parameters": {
                     "type": "object", "required": ["o"], "additionalProperties": {"type": "integer"},
                     "properties": {"o": {"type": "object", "required": ["n"],
                      "properties": {"n": {"type": ["number", "null"], "enum": [1, null]}}}}}}
                    """#))
        func problems(_ json: String) throws -> [String] {
            try function.problems(in: LeapFunctionCall(name: "f", argumentsJSON: JSONValue(parsing: json)))
                .map(\.description)
        }
        #expect(try problems(#"{"o": {"n": 1.0}, "x": 3, "y": 4.0}"#).isEmpty)
        #expect(
            try problems(#"{"o": {}, "x": true}"#)
                == ["argument 'o.n' is missing", "argument 'x' must be of type integer, found true"])
        #expect(try problems(#"{"o": {"n": 2}}"#) == ["argument 'o.n' must be one of 1, null, found 2"])
        #expect(try problems(#"{"o": {"n": "1"}}"#) == ["argument 'o.n' must be of type number or null, found \"1\""])
    }

    @Test("a conversation checks calls against its registered functions")
    func registered() async throws {
        let conversation = try await load().createConversation()
        conversation.registerFunction(function: Self.weather)
        let call = try LeapFunctionCall(name: "get_wether", arguments: [:])
        #expect(
            conversation.problems(in: call).map(\.description)
                == ["unknown function 'get_wether'; known functions: 'get_weather'"])
        let good = try LeapFunctionCall(name: "get_weather", arguments: ["cities": ["Rome"]])
        #expect(conversation.problems(in: good).isEmpty)
    }

    private struct Query: Decodable, Equatable {
        var cities: [String]
        var unit: String?
        var id: UInt64?
    }

    @Test("whole numbers of every width are numbers, not booleans")
    func widths() throws {
        let arguments: [String: Any] = [
            "a": Int8(65), "b": Int8(-5), "c": Int8(1), "d": UInt8(1), "e": true, "f": NSNumber(value: Int8(65)),
        ]
        let call = try LeapFunctionCall(name: "f", arguments: arguments)
        #expect(call.argumentsJSON == ["a": 65, "b": -5, "c": 1, "d": 1, "e": true, "f": 65])
    }

    @Test("arguments are decoded into a type without loss of precision")
    func decode() throws {
        let call = LeapFunctionCall(
            name: "f", argumentsJSON: ["cities": ["Rome"], "id": .largeInteger("18446744073709551615")])
        #expect(try call.decodeArguments(as: Query.self) == Query(cities: ["Rome"], unit: nil, id: .max))
        let query: Query = try call.decodeArguments()
        #expect(query.cities == ["Rome"])
        #expect(call.arguments["id"] as? UInt64 == .max)
        let wrong = LeapFunctionCall(name: "f", argumentsJSON: ["cities": [1]])
        let missing = LeapFunctionCall(name: "f", argumentsJSON: [:])
        for (call, text) in [(wrong, "cities.[0]"), (missing, "'cities' is missing")] {
            let error = #expect(throws: LeapError.self) { try call.decodeArguments(as: Query.self) }
            #expect(error?.description.contains("the arguments of function call 'f': ") == true)
            #expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        }
    }

    @Test("numbers that no Swift type can hold keep their digits as strings")
    func exact() {
        let call = LeapFunctionCall(
            name: "f",
            argumentsJSON: ["a": .largeInteger("123456789012345678901234567890"), "b": .exactNumber("1e400")])
        #expect(call.arguments["a"] as? String == "123456789012345678901234567890")
        #expect(call.arguments["b"] as? String == "1e400")
    }

    @Test("coders keep the digits of large integers")
    func largeIntegers() throws {
        let text =
            #"{"name":"f","arguments":{"a":18446744073709551615,"b":-123456789012345678901234567890,"#
            + #""c":9007199254740993,"d":1.5,"e":1e300}}"#
        let call = try JSONDecoder().decode(LeapFunctionCall.self, from: Data(text.utf8))
        #expect(
            call.argumentsJSON == [
                "a": .largeInteger("18446744073709551615"), "b": .largeInteger("-123456789012345678901234567890"),
                "c": .integer(9_007_199_254_740_993), "d": 1.5, "e": .number(1e300),
            ])
        let bounds = #"{"type":"integer","minimum":-123456789012345678901234567890,"maximum":18446744073709551615}"#
        let function = try LeapFunction(
            json: [
                "name": "f", "description": "",
                "parameters": ["type": "object", "properties": ["n": try JSONValue(parsing: bounds)]],
            ])
        let json = String(decoding: try JSONEncoder().encode(function), as: UTF8.self)
        #expect(json.contains("-123456789012345678901234567890") && json.contains("18446744073709551615"))
        // Property lists have no integers of that size.
        #expect(throws: Never.self) { try PropertyListEncoder().encode(function) }
    }

    // MARK: - Parsers

    @Test("a parser parses the appended text and then discards it")
    func parsers() throws {
        let parsers: [(any LeapFunctionCallParserProtocol, String, String)] = [
            (LFMFunctionCallParser(), "[f(a=1), g(b='x')]", "<|tool_call_start|>"),
            (
                HermesFunctionCallParser(),
                #"{"name": "f", "arguments": {"a": 1}}{"name": "g", "arguments": {"b": "x"}}"#, "<tool_call>"
            ),
        ]
        for (parser, text, start) in parsers {
            #expect(parser.toolCallStartToken == start)
            #expect(try parser.parse().isEmpty)
            text.forEach { parser.append(chunk: String($0)) }
            let calls = try parser.parse()
            #expect(calls.map(\.name) == ["f", "g"])
            #expect(calls[0].arguments["a"] as? Int == 1 && calls[1].arguments["b"] as? String == "x")
            #expect(try parser.parse().isEmpty)
            parser.append(chunk: parser.dump(functionCalls: calls))
            #expect(try parser.parse() == calls)
            parser.append(chunk: "so: \(start)\(text)\(parser.toolCallEndToken) and")
            #expect(try parser.parse() == calls)
            parser.append(chunk: "junk")
            parser.clear()
            #expect(try parser.parse().isEmpty)
            parser.append(chunk: "junk")
            #expect(throws: ToolCallError.self) { try parser.parse() }
        }
    }
}
