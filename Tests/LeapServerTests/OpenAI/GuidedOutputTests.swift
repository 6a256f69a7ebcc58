#if Server
import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

/// vLLM's and SGLang's fields for the form of an answer.
@Suite("Guided output")
struct GuidedOutputTests {
    private static func constraint(_ members: String) throws -> ConstraintSource? {
        try chat(members).options.constraint
    }

    private static func chat(_ members: String) throws -> ChatRequest {
        let text = #"{"messages": [{"role": "user", "content": "a"}], \#(members)}"#
        let request = try ChatCompletionRequest(FieldReader(try JSONValue(parsing: text), path: ""))
        guard case .chat(let chat) = request.job.subject else { throw CancellationError() }
        return chat
    }

    @Test("the old fields and the members of the new one mean the same")
    func forms() throws {
        let cases: [(String, String, ConstraintSource)] = [
            ("json", #"{"type":"integer"}"#, .jsonSchema(#"{"type":"integer"}"#)),
            ("json", #""{\"type\": \"null\"}""#, .jsonSchema(#"{"type": "null"}"#)),
            ("regex", #""a+""#, .regex("a+")), ("grammar", #""root ::= [a]""#, .grammar("root ::= [a]")),
        ]
        for (name, value, expected) in cases {
            #expect(try Self.constraint(#""guided_\#(name)": \#(value)"#) == expected)
            #expect(try Self.constraint(#""structured_outputs": {"\#(name)": \#(value), "regex2": null}"#) == expected)
        }
        #expect(try Self.constraint(#""regex": "a+""#) == .regex("a+"))
        #expect(try Self.constraint(#""ebnf": "root ::= [a]""#) == .grammar("root ::= [a]"))
        for choice in [#""guided_choice": ["a"]"#, #""structured_outputs": {"choice": ["a", "b"]}"#] {
            guard case .pattern? = try Self.constraint(choice) else {
                Issue.record("\(choice)")
                continue
            }
        }
        let object = ConstraintSource.jsonSchema(#"{"type":"object"}"#, permitsUndeclared: true)
        #expect(try Self.constraint(#""structured_outputs": {"json_object": true}"#) == object)
    }

    @Test(
        "a schema given with json_object is honoured under each of its names, and shown to the model",
        arguments: [
            (#""schema": S"#, true), (#""value": S"#, true), (#""json_schema": {"schema": S}"#, true),
            (#""schema": null"#, false), (#""schema": {}"#, false), (#""value": null, "other": 1"#, false),
        ])
    func schemaOfObject(members: String, isGiven: Bool) throws {
        let schema = #"{"type":"object","required":["name"]}"#
        let format = #"{"type": "json_object", \#(members.replacing("S", with: schema))}"#
        let chat = try Self.chat(#""response_format": \#(format)"#)
        let usual = ConstraintSource.jsonSchema(#"{"type":"object"}"#, permitsUndeclared: true)
        #expect(chat.options.constraint == (isGiven ? .jsonSchema(schema) : usual))
        #expect(chat.options.showsSchema == isGiven)
    }

    @Test(
        "what asks for nothing is no constraint",
        arguments: [
            #""structured_outputs": null"#, #""structured_outputs": {}"#, #""structured_outputs": {"json": null}"#,
            #""structured_outputs": {"json_object": false}"#, #""guided_json": null, "guided_decoding_backend": "x""#,
        ])
    func nothing(_ members: String) throws {
        #expect(try Self.constraint(members) == nil)
    }

    @Test(
        "wrong values and several constraints are refused at their place",
        arguments: [
            (#""guided_choice": []"#, "guided_choice"), (#""guided_choice": [1]"#, "guided_choice"),
            (#""guided_regex": 5"#, "guided_regex"), (#""guided_json": 5"#, "guided_json"),
            (#""structured_outputs": {"choice": "a"}"#, "structured_outputs.choice"),
            (#""structured_outputs": {"structural_tag": "a"}"#, "structured_outputs.structural_tag"),
            (#""structured_outputs": {"regex": "a", "choice": ["a"]}"#, "structured_outputs.choice"),
            (#""guided_regex": "a", "response_format": {"type": "json_object"}"#, "response_format"),
            (#""guided_regex": "a", "grammar": "root ::= [a]""#, "guided_regex"),
        ])
    func refused(_ members: String, _ field: String) {
        let error = #expect(throws: APIError.self) { try Self.constraint(members) }
        #expect(error?.param == field)
    }

    @Test("answers of chats and completions have the form")
    func answers() async throws {
        try await TestServer.run { server in
            let choice = #""structured_outputs":{"choice":["maybe","perhaps"]}"#
            let chat = try await server.ask(
                "POST", "/v1/chat/completions", #"{"messages":[{"role":"user","content":"Hi"}],\#(choice)}"#)
            let text = try chat.json["choices"]?.array?.first?["message"]?["content"]?.string
            #expect(["maybe", "perhaps"].contains(text), "\(chat)")
            let completion = try await server.ask(
                "POST", "/v1/completions", #"{"prompt":"Once","guided_regex":"[0-9]{4}"}"#)
            let digits = try completion.json["choices"]?.array?.first?["text"]?.string ?? ""
            #expect(digits.count == 4 && digits.allSatisfy(\.isNumber), "\(completion)")
        }
    }
}
#endif
