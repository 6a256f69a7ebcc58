#if Server
import HTTPTypes
import LeapChat
import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

/// Engine errors refer to fields by their names in the client's request.
@Suite("Fields named by engine errors")
struct ErrorFieldTests {
    private static let schema = #"{"type":"string","pattern":"("}"#
    private static let long = String(repeating: "sea ", count: 5000)

    @Test(
        "an engine error names the request field that caused it",
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
    func errorField(path: String, members: String, field: String) async throws {
        let body = members.replacing("HI", with: #"{"role":"user","content":"Hi"}"#)
            .replacing("LONGER", with: #"{"role":"user","content":"\#(Self.long)"}"#)
            .replacing("LONG", with: Self.long).replacing("SCHEMA", with: Self.schema)
        try await TestServer.run { server in
            let reply = try await server.ask("POST", path, "{\(body)}")
            #expect(reply.status == 400)
            #expect(try reply.error("param") == .string(field), "\(reply.text)")
        }
    }

    @Test("ollama requests name their own subject and constraint fields", arguments: [true, false])
    func ollamaFields(isChat: Bool) throws {
        let json = #"{"model":"m","prompt":"a","messages":[{"role":"user","content":"a"}],"options":{"grammar":"x"}}"#
        let fields = FieldReader(try #require(try JSONValue(parsing: json).object))
        let request = try isChat ? OllamaRequest.chat(fields) : OllamaRequest.prompt(fields)
        #expect(
            request.job?.fields
                == JobFields(subject: isChat ? "messages" : "prompt", constraint: "options.grammar"))
    }

    @Test("a template that hits its limits is reported as a prompt that is too long, without template details")
    func limits() throws {
        let template = try ChatTemplate(
            source: "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}")
        let error = #expect(throws: (any Error).self) { try template.render(messages: []) }
        let reply = APIError(engine: try #require(error), in: JobFields(subject: "input"))
        #expect(reply.status == .badRequest && reply.code == "context_length_exceeded" && reply.param == "input")
        #expect(!reply.message.contains("range"))
    }
}
#endif
