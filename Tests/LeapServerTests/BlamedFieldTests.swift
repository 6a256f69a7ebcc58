#if Server
import HTTPTypes
import LeapChat
import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

/// The fields that errors of the engine refer to, by the names in the client's request.
@Suite("Fields to blame")
struct BlamedFieldTests {
    private static let schema = #"{"type":"string","pattern":"("}"#
    private static let long = String(repeating: "sea ", count: 5000)

    @Test(
        "a constraint that cannot be enforced is told of the field that it came in",
        arguments: [
            ("/v1/chat/completions", #""messages":[HI],"grammar":"root ::= (""#, "grammar"),
            ("/v1/chat/completions", #""messages":[HI],"json_schema":SCHEMA"#, "json_schema"),
            (
                "/v1/chat/completions",
                #""messages":[HI],"grammar":"","response_format":{"type":"json_schema","schema":SCHEMA}"#,
                "response_format"
            ),
            ("/v1/completions", #""prompt":"a","grammar":"root ::= (""#, "grammar"),
            ("/completion", #""prompt":"a","json_schema":SCHEMA"#, "json_schema"),
            ("/v1/responses", #""input":"a","text":{"format":{"type":"json_schema","schema":SCHEMA}}"#, "text.format"),
            ("/v1/responses", #""input":"a","grammar":"root ::= (""#, "grammar"),
            ("/v1/responses", #""input":"LONG""#, "input"),
            ("/v1/chat/completions", #""messages":[LONGER]"#, "messages"),
            ("/infill", #""input_prefix":"a","input_suffix":"b""#, "input_suffix"),
            ("/v1/completions", #""prompt":"a","suffix":"b""#, "suffix"),
            ("/completion", #""prompt":["a",1000000]"#, "prompt"),
            ("/completion", #""prompt":["a",5,{}]"#, "prompt[2]"),
            ("/v1/completions", #""prompt":"LONG""#, "prompt"), ("/completion", #""prompt":"LONG""#, "prompt"),
        ])
    func blamed(path: String, members: String, field: String) async throws {
        let body = members.replacing("HI", with: #"{"role":"user","content":"Hi"}"#)
            .replacing("LONGER", with: #"{"role":"user","content":"\#(Self.long)"}"#)
            .replacing("LONG", with: Self.long).replacing("SCHEMA", with: Self.schema)
        try await TestServer.run { server in
            let reply = try await server.ask("POST", path, "{\(body)}")
            #expect(reply.status == 400)
            #expect(try reply.error("param") == .string(field), "\(reply.text)")
        }
    }

    @Test("other dialects know their own names", arguments: [true, false])
    func names(isChat: Bool) throws {
        let json = #"{"model":"m","prompt":"a","messages":[{"role":"user","content":"a"}],"options":{"grammar":"x"}}"#
        let fields = FieldReader(try #require(try JSONValue(parsing: json).object))
        let request = try isChat ? OllamaRequest.chat(fields) : OllamaRequest.prompt(fields)
        #expect(
            request.order?.fields
                == OrderFields(subject: isChat ? "messages" : "prompt", constraint: "options.grammar"))
    }

    @Test("a template that its limits stop tells that the messages are too long, and nothing of itself")
    func limits() throws {
        let template = try ChatTemplate(
            source: "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}")
        let error = #expect(throws: (any Error).self) { try template.render(messages: []) }
        let told = APIError(engine: try #require(error), in: OrderFields(subject: "input"))
        #expect(told.status == .badRequest && told.code == "context_length_exceeded" && told.param == "input")
        #expect(!told.message.contains("range"))
    }
}
#endif
