import LeapChat
import LeapEngine
import LeapGeneration
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("ollama requests")
struct OllamaRequestTests {
    private static func fields(_ json: String) throws -> FieldReader {
        FieldReader(try #require(try JSONValue(parsing: json).object))
    }

    private static func chat(_ request: OllamaRequest) throws -> ChatRequest {
        guard case .chat(let chat)? = request.job?.subject else { throw CancellationError() }
        return chat
    }

    @Test("messages without content are empty, and a length of 0 or less is no limit", arguments: [-2, -1, 0])
    func absent(length: Int) throws {
        let picture = "iVBORw0KGgo="
        let request = try OllamaRequest.chat(
            Self.fields(
                """
                {"model": "m", "options": {"num_predict": \(length), "seed": 3.0}, "messages": [
                  {"role": "user", "images": ["\(picture)"]}, {"role": "user", "content": null},
                  {"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
                  {"role": "tool", "tool_name": "f"}]}
                """))
        let chat = try Self.chat(request)
        #expect(chat.messages.map(\.role) == [.user, .user, .assistant, .tool])
        #expect(chat.messages[0].parts.first == .picture(try Picture(base64: picture, field: "images")))
        #expect(chat.options.maxTokens == nil && chat.options.seed == 3)
    }

    @Test("the messages, tools and options of a chat request are read")
    func chat() throws {
        let request = try OllamaRequest.chat(
            Self.fields(
                """
                {"model": "m", "think": "low", "keep_alive": "1h30m", "stream": false, "messages": [
                  {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Rome?", "images": []},
                  {"role": "assistant", "thinking": "A city.",
                   "tool_calls": [{"function": {"name": "weather", "arguments": {"city": "Rome"}}}]},
                  {"role": "tool", "tool_name": "weather", "content": "sun"}],
                 "tools": [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}],
                 "options": {"temperature": 0.5, "num_predict": 7, "num_ctx": 512, "stop": ["END"], "mirostat": 2,
                             "mirostat_tau": 3, "num_thread": 4}}
                """))
        let chat = try Self.chat(request)
        #expect(
            chat.messages == [
                Message(.system, "Be brief."), Message(.user, "Rome?"),
                Message(
                    .assistant, "", reasoning: "A city.",
                    calls: [ToolCall(name: "weather", arguments: ["city": "Rome"])]),
                Message(.tool, "sun"),
            ])
        #expect(chat.tools.map(\.name) == ["weather"])
        #expect(chat.thinks == true)
        #expect(chat.options.sampling.temperature == 0.5)
        #expect(chat.options.sampling.mirostat == MirostatSettings(version: .v2, target: 3))
        #expect(chat.options.maxTokens == 7)
        #expect(chat.options.contextLength == 512)
        #expect(chat.options.overflow == .dropsOldestTurns)
        #expect(chat.options.stopStrings == ["END"])
        #expect(request.keepAlive == .seconds(5400))
        #expect(request.style.streams == false)
    }

    @Test("temperatures and tool names are not limited as OpenAI limits them")
    func noBounds() throws {
        let tool = #"{"type": "function", "function": {"name": "files.read", "parameters": null}}"#
        for (asked, used) in [("5", Float(5)), ("0.5", 0.5)] {
            let request = try OllamaRequest.chat(
                Self.fields(
                    #"{"model": "m", "messages": [{"role": "user", "content": "Hi"}], "tools": [\#(tool)],"#
                        + #" "options": {"temperature": \#(asked)}}"#))
            let chat = try Self.chat(request)
            #expect(chat.options.sampling.temperature == used && chat.tools.map(\.name) == ["files.read"])
            let completion = try LlamaCompletionRequest.completion(
                Self.fields("{\"prompt\": \"a\", \"temperature\": \(asked)}"))
            guard case .text(_, let options) = completion.job.subject else { throw CancellationError() }
            #expect(options.sampling.temperature == used)
        }
        #expect(throws: APIError.self) {
            try CompletionRequest(Self.fields("{\"prompt\": \"a\", \"temperature\": 5}"))
        }
    }

    @Test("a prompt becomes a user message, or is continued verbatim with raw")
    func prompt() throws {
        let request = try OllamaRequest.prompt(
            Self.fields("{\"model\": \"m\", \"prompt\": \"Hello\", \"system\": \"Be brief.\", \"format\": \"json\"}"))
        let chat = try Self.chat(request)
        #expect(chat.messages == [Message(.system, "Be brief."), Message(.user, "Hello")])
        #expect(chat.options.constraint == .jsonSchema("{\"type\":\"object\"}", permitsUndeclared: true))
        #expect(request.style.streams)
        let raw = try OllamaRequest.prompt(
            Self.fields("{\"model\": \"m\", \"prompt\": \"Hello\", \"raw\": true, \"options\": {\"num_predict\": -1}}"))
        guard case .text(let text, let options)? = raw.job?.subject else { throw CancellationError() }
        #expect(text == "Hello")
        #expect(options.maxTokens == nil)
    }

    @Test("a request without a prompt or messages generates nothing")
    func nothing() throws {
        #expect(try OllamaRequest.prompt(Self.fields("{\"model\": \"m\", \"keep_alive\": 0}")).job == nil)
        let request = try OllamaRequest.chat(Self.fields("{\"model\": \"m\", \"messages\": [], \"keep_alive\": -1}"))
        #expect(request.job == nil)
        #expect(request.keepAlive == .seconds(-1))
    }

    @Test(
        "durations are parsed in Go's format",
        arguments: [
            ("5m", Duration.seconds(300)), ("1h30m", .seconds(5400)), ("1.5s", .milliseconds(1500)),
            ("250ms", .milliseconds(250)), ("0", .zero), ("300", .seconds(300)), ("-1", .seconds(-1)),
            ("-1m", .seconds(-1)), ("", nil), ("-", nil), ("soon", nil), ("5", .seconds(5)), ("5x", nil), ("m", nil),
            ("1e9h", nil), ("9999999999999999h", .seconds(1e9)),
        ] as [(String, Duration?)])
    func durations(_ text: String, _ expected: Duration?) {
        #expect(OllamaDuration.parse(text) == expected)
    }

    @Test(
        "invalid and unsupported fields are refused by name",
        arguments: [
            ("\"prompt\": \"a\"", "model"), ("\"model\": \"m\", \"prompt\": 3", "prompt"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"template\": \"b\"", "template"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"context\": [1, \"x\"]", "context[1]"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"images\": [\"x\"]", "images[0]"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"format\": \"xml\"", "format"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"think\": 3", "think"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"think\": \"much\"", "think"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"keep_alive\": \"soon\"", "keep_alive"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"options\": []", "options"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"options\": {\"temperature\": -1}", "options.temperature"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"options\": {\"tfs_z\": 0.5}", "options.tfs_z"),
            ("\"model\": \"m\", \"prompt\": \"a\", \"options\": {\"stop\": [\"\"]}", "options.stop"),
        ])
    func refusals(_ json: String, _ field: String) {
        var errorField: String?
        do { _ = try OllamaRequest.prompt(Self.fields("{\(json)}")) } catch { errorField = (error as? APIError)?.param }
        #expect(errorField == field)
    }

    @Test(
        "with raw or a suffix, non-empty fields that only a chat template could apply are refused")
    func raw() throws {
        let begin = "{\"model\": \"m\", \"prompt\": \"a\", "
        for (member, name) in [
            ("\"system\": \"b\"", "system"), ("\"template\": \"b\"", "template"), ("\"context\": [1]", "context"),
            ("\"images\": [\"x\"]", "images"),
        ] {
            for more in ["\"raw\": true", "\"suffix\": \"c\""] {
                let error = #expect(throws: APIError.self) {
                    try OllamaRequest.prompt(Self.fields(begin + "\(member), \(more)}"))
                }
                #expect(error?.param == name)
                let isRaw = more.contains("raw") && name != "images"
                #expect(
                    (error?.message == "raw mode does not support template, system, or context") == isRaw)
            }
        }
        let empty = "\"system\": \"\", \"template\": \"\", \"context\": [], \"images\": []"
        for more in ["\"raw\": true", "\"suffix\": \"c\""] {
            _ = try OllamaRequest.prompt(Self.fields(begin + "\(empty), \(more)}"))
        }
    }

    @Test("invalid images in messages are refused")
    func images() throws {
        var errorField: String?
        do {
            _ = try OllamaRequest.chat(
                Self.fields(
                    """
                    {"model": "m", "messages": [{"role": "user", "content": "a", "images": ["x"]}]}
                    """))
        } catch { errorField = (error as? APIError)?.param }
        #expect(errorField == "messages[0].images[0]")
    }
}
