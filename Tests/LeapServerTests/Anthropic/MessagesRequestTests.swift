import LeapChat
import LeapEngine
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("Anthropic Messages requests")
struct MessagesRequestTests {
    private static func request(_ json: String) throws -> MessagesRequest {
        try MessagesRequest(FieldReader(try #require(try JSONValue(parsing: json).object)))
    }

    private static func chat(_ json: String) throws -> ChatRequest {
        guard case .chat(let chat) = try request(json).job.subject else { throw CancellationError() }
        return chat
    }

    /// The `param` of the error that a request is refused with.
    private static func blamed(_ json: String) -> String? {
        do { _ = try request(json) } catch { return (error as? APIError)?.param }
        return nil
    }

    @Test("content blocks become messages, and each tool result a message of its own")
    func conversation() throws {
        let chat = try Self.chat(
            """
            {"model": "m", "max_tokens": 9, "system": [{"type": "text", "text": "Be brief."}], "messages": [
              {"role": "user", "content": "Rome?"},
              {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "A city.", "signature": "s"},
                {"type": "redacted_thinking", "data": "x"},
                {"type": "text", "text": "Let me see."},
                {"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {"city": "Rome"}},
                {"type": "tool_use", "id": "toolu_2", "name": "weather", "input": {"city": "Rom"}}]},
              {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": "sun"}]},
                {"type": "tool_result", "tool_use_id": "toolu_2", "content": "no such city", "is_error": true},
                {"type": "text", "text": "And?"}]},
              {"role": "user", "content": "Well?"}]}
            """)
        var results = [Message(.tool, "sun"), Message(.tool, "Error: no such city")]
        for (index, name) in ["toolu_1", "toolu_2"].enumerated() { results[index].callID = name }
        let said = [
            Message(.system, "Be brief."), Message(.user, "Rome?"),
            Message(
                .assistant, "Let me see.", reasoning: "A city.",
                calls: [
                    ToolCall(name: "weather", arguments: ["city": "Rome"], id: "toolu_1"),
                    ToolCall(name: "weather", arguments: ["city": "Rom"], id: "toolu_2"),
                ]),
        ]
        #expect(chat.messages == said + results + [Message(.user, "And?\n\nWell?")])
        #expect(chat.options.maxTokens == 9)
        #expect(chat.thinks == false)
    }

    /// A PNG image of one pixel.
    private static let picture =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    @Test("images in tool results stay in the tool message")
    func resultPictures() throws {
        func parts(_ more: String) throws -> [Message.Part] {
            let image = """
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "\(Self.picture)"}}
                """
            let chat = try Self.chat(
                """
                {"max_tokens": 9, "messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a",
                  \(more)"content": [\(image), {"type": "text", "text": "sun"}]}]}]}
                """)
            #expect(chat.messages.map(\.role) == [.tool])
            return try #require(chat.messages.first).parts
        }
        let found = try parts("")
        guard found.count == 2, case .picture = found[0] else { throw CancellationError() }
        #expect(found[1] == .text("sun"))
        #expect(try parts("\"is_error\": true, ").first == .text("Error: "))
    }

    @Test("consecutive messages of one role are merged, with their images")
    func joinedTurns() throws {
        let image = """
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "\(Self.picture)"}}
            """
        let chat = try Self.chat(
            """
            {"max_tokens": 9, "messages": [{"role": "user", "content": "a"},
              {"role": "user", "content": [{"type": "text", "text": "b"}, \(image)]}]}
            """)
        #expect(chat.messages.count == 1)
        #expect(chat.messages.first?.text == "a\n\nb" && chat.messages.first?.pictures.count == 1)
    }

    @Test("tool names may be up to 128 characters long")
    func longNames() throws {
        func tool(_ count: Int) -> String {
            "\"tools\": [{\"name\": \"\(String(repeating: "x", count: count))\", \"input_schema\": {\"type\": \"object\"}}]"
        }
        #expect(Self.blamed("{\(Self.hello)\(tool(128))}") == nil)
        #expect(Self.blamed("{\(Self.hello)\(tool(129))}") == "tools[0]")
    }

    @Test("Claude Code's billing header is left out of the system prompt")
    func billing() throws {
        let begin = "{\"max_tokens\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"a\"}], \"system\": "
        let header = "{\"type\": \"text\", \"text\": \"x-anthropic-billing-header: cch=1f;\"}"
        let rest = "{\"type\": \"text\", \"text\": \"Be brief.\", \"cache_control\": {\"type\": \"ephemeral\"}}"
        #expect(try Self.chat(begin + "[\(header), \(rest)]}").messages.first == Message(.system, "Be brief."))
        #expect(try Self.chat(begin + "[\(header)]}").messages == [Message(.user, "a")])
        #expect(try Self.chat(begin + "\"Be brief.\"}").messages.first == Message(.system, "Be brief."))
    }

    @Test("a trailing assistant message prefills the answer")
    func beginning() throws {
        let chat = try Self.chat(
            """
            {"max_tokens": 1, "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "The"}]}
            """)
        #expect(chat.messages == [Message(.user, "a")])
        #expect(chat.beginning == "The")
    }

    /// A `thinking` field and its expected effect.
    struct Thinking: Sendable {
        var json: String
        var thinks: Bool
        var budget: Int?
        var hides = false
    }

    @Test(
        "the thinking field sets reasoning, its budget and its visibility",
        arguments: [
            Thinking(json: "null", thinks: false),
            Thinking(json: "{\"type\": \"disabled\"}", thinks: false),
            Thinking(json: "{\"type\": \"enabled\", \"budget_tokens\": 1024}", thinks: true, budget: 1024),
            Thinking(json: "{\"type\": \"adaptive\", \"display\": \"omitted\"}", thinks: true, hides: true),
        ])
    func thinking(_ expected: Thinking) throws {
        let json = """
            {"max_tokens": 1, "messages": [{"role": "user", "content": "a"}], "thinking": \(expected.json)}
            """
        let chat = try Self.chat(json)
        #expect(chat.thinks == expected.thinks)
        #expect(chat.options.thinkingBudget == expected.budget)
        #expect(try Self.request(json).style.hidesThoughts == expected.hides)
    }

    @Test("client tools are accepted, and tools that run on Anthropic's servers are skipped")
    func tools() throws {
        let request = try Self.request(
            """
            {"max_tokens": 1, "messages": [{"role": "user", "content": "a"}], "tools": [
              {"type": "web_search_20250305", "name": "web_search"},
              {"name": "now", "description": "tells the time", "input_schema": {"type": "object"}},
              {"type": "custom", "name": "add", "input_schema": {"type": "object"}}],
             "tool_choice": {"type": "tool", "name": "add", "disable_parallel_tool_use": true}}
            """)
        #expect(request.skippedTools == ["web_search_20250305"])
        #expect(request.job.forcedCall?.tools.map(\.name) == ["add"])
        #expect(request.job.allowsParallelCalls == false)
        guard case .chat(let chat) = request.job.subject else { throw CancellationError() }
        #expect(chat.tools.map(\.name) == ["now", "add"])
        #expect(chat.tools.first?.json["function"]?["description"] == "tells the time")
    }

    @Test("tool_choice none removes the tools")
    func noTools() throws {
        let chat = try Self.chat(
            """
            {"max_tokens": 1, "messages": [{"role": "user", "content": "a"}], "tool_choice": {"type": "none"},
             "tools": [{"name": "now", "input_schema": {"type": "object"}}]}
            """)
        #expect(chat.tools.isEmpty)
    }

    @Test("output_config sets the JSON schema and the reasoning effort")
    func format() throws {
        let chat = try Self.chat(
            """
            {"max_tokens": 1, "messages": [{"role": "user", "content": "a"}], "output_config": {"effort": "low",
             "format": {"type": "json_schema", "schema": {"type": "object"}}}}
            """)
        #expect(chat.options.constraint == .jsonSchema("{\"type\":\"object\"}"))
        #expect(chat.templateVariables["reasoning_effort"] == "low")
    }

    @Test(
        "invalid and unsupported fields are refused by name",
        arguments: [
            ("\"messages\": [{\"role\": \"user\", \"content\": \"a\"}]", "max_tokens"),
            ("\"max_tokens\": 0, \"messages\": [{\"role\": \"user\", \"content\": \"a\"}]", "max_tokens"),
            ("\"max_tokens\": 1", "messages"), ("\"max_tokens\": 1, \"messages\": []", "messages"),
            ("\"max_tokens\": 1, \"messages\": [{\"role\": \"tool\", \"content\": \"a\"}]", "messages[0].role"),
            ("\"max_tokens\": 1, \"messages\": [3]", "messages[0].role"),
            ("\"max_tokens\": 1, \"messages\": [{\"role\": \"user\"}]", "messages[0].content"),
            ("\"max_tokens\": 1, \"messages\": [{\"role\": \"user\", \"content\": []}]", "messages[0].content"),
            (
                """
                "max_tokens": 1, "messages": [{"role": "user", "content": [{"type": "image", "source": {}}]}]
                """, "messages[0].content[0].source.type"
            ),
            (
                """
                "max_tokens": 1, "messages": [{"role": "assistant", "content": [
                  {"type": "tool_use", "name": "f", "input": 3}]}]
                """, "messages[0].content[0].input"
            ),
            (Self.hello + "\"temperature\": 1.5", "temperature"), (Self.hello + "\"top_k\": -2", "top_k"),
            (Self.hello + "\"stop_sequences\": [\"\"]", "stop_sequences"),
            (Self.hello + "\"stop_sequences\": \"a\"", "stop_sequences"),
            (Self.hello + "\"thinking\": {\"type\": \"much\"}", "thinking.type"),
            (Self.hello + "\"tool_choice\": {\"type\": \"any\"}", "tool_choice"),
            (Self.hello + "\"tool_choice\": {\"type\": \"tool\"}", "tool_choice.name"),
            (Self.hello + "\"tools\": [{\"name\": \"f\"}]", "tools[0].input_schema"),
            (
                Self.hello
                    + "\"tools\": [{\"type\": \"bash_20250124\"}, {\"name\": \"a b\", \"input_schema\": {\"type\": \"object\"}}]",
                "tools[1]"
            ),
            (Self.hello + "\"mcp_servers\": [{}]", "mcp_servers"),
            (Self.hello + "\"output_config\": {\"format\": {\"type\": \"xml\"}}", "output_config.format.type"),
        ])
    func refusals(_ json: String, _ field: String) {
        #expect(Self.blamed("{\(json)}") == field)
    }

    private static let hello = "\"max_tokens\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"a\"}], "
}
