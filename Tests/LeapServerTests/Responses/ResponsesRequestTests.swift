import LeapChat
import LeapEngine
import LeapJSON
import OrderedCollections
import Testing

@testable import LeapServer

@Suite("OpenAI Responses requests")
struct ResponsesRequestTests {
    private static func request(_ json: String) throws -> ResponsesRequest {
        try ResponsesRequest(FieldReader(try #require(try JSONValue(parsing: json).object)))
    }

    private static func chat(_ json: String) throws -> ChatRequest {
        guard case .chat(let chat) = try request(json).job.subject else { throw CancellationError() }
        return chat
    }

    @Test("a string input is a user message")
    func text() throws {
        let chat = try Self.chat("{\"input\": \"Hello\", \"instructions\": \"Be brief.\", \"max_output_tokens\": 5}")
        #expect(chat.messages == [Message(.system, "Be brief."), Message(.user, "Hello")])
        #expect(chat.options.maxTokens == 5)
        #expect(chat.thinks == nil)
    }

    @Test("items of one assistant turn become one message")
    func items() throws {
        let chat = try Self.chat(
            """
            {"input": [
              {"role": "developer", "content": "Be brief."},
              {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Rome?"}]},
              {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "A city."}]},
              {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Let me see."}]},
              {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": "{\\"city\\": \\"Rome\\"}"},
              {"type": "custom_tool_call", "call_id": "c2", "name": "note", "input": "Rome"},
              {"type": "function_call_output", "call_id": "c1", "output": "sun"},
              {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "ok"}]},
              {"type": "reasoning", "summary": [], "encrypted_content": "x"},
              {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Sun."}]},
              {"role": "assistant", "content": "It is sunny."},
              {"role": "assistant", "content": "Anything else?"},
              {"role": "user", "content": "No."}]}
            """)
        var results = [Message(.tool, "sun"), Message(.tool, "ok")]
        for (index, name) in ["c1", "c2"].enumerated() { results[index].callID = name }
        let said = [
            Message(.system, "Be brief."), Message(.user, "Rome?"),
            Message(
                .assistant, "Let me see.", reasoning: "A city.",
                calls: [
                    ToolCall(name: "weather", arguments: ["city": "Rome"], id: "c1"),
                    ToolCall(name: "note", arguments: ["input": "Rome"], id: "c2"),
                ]),
        ]
        let later = [
            Message(.assistant, "It is sunny.", reasoning: "Sun."), Message(.assistant, "Anything else?"),
            Message(.user, "No."),
        ]
        #expect(chat.messages == said + results + later)
    }

    @Test("function and custom tools are accepted, and tools that run on OpenAI's servers are skipped")
    func tools() throws {
        let request = try Self.request(
            """
            {"input": "a", "parallel_tool_calls": false, "tool_choice": {"type": "custom", "name": "patch"}, "tools": [
              {"type": "web_search"},
              {"type": "function", "name": "now", "description": "tells the time", "parameters": null, "strict": true},
              {"type": "custom", "name": "patch", "description": "Edits.",
               "format": {"type": "grammar", "syntax": "lark", "definition": "start: LINE"}}]}
            """)
        #expect(request.skippedTools == ["web_search"])
        #expect(request.job.forcedCall?.tools.map(\.name) == ["patch"])
        #expect(request.job.allowsParallelCalls == false)
        #expect(request.style.freeTools == ["patch"])
        guard case .chat(let chat) = request.job.subject else { throw CancellationError() }
        #expect(chat.tools.map(\.name) == ["now", "patch"])
        #expect(chat.tools[0].json["function"]?["description"] == "tells the time")
        #expect(
            chat.tools[1].json["function"]?["description"] == "Edits.\n\nThe input follows this grammar:\nstart: LINE")
        #expect(chat.tools[1].parameters["required"] == ["input"])
    }

    @Test("reasoning effort, text format and log probabilities are read")
    func options() throws {
        let chat = try Self.chat(
            """
            {"input": "a", "reasoning": {"effort": "low"}, "include": ["message.output_text.logprobs"],
             "text": {"format": {"type": "json_schema", "name": "x", "schema": {"type": "object"}}}}
            """)
        #expect(chat.thinks == true)
        #expect(chat.templateVariables["reasoning_effort"] == "low")
        #expect(chat.options.topLogprobs == 0)
        #expect(chat.options.constraint == .jsonSchema("{\"type\":\"object\"}"))
        #expect(try Self.chat("{\"input\": \"a\", \"reasoning\": {\"effort\": \"none\"}}").thinks == false)
    }

    @Test(
        "invalid and unsupported fields are refused by name",
        arguments: [
            ("\"model\": \"m\"", "input"), ("\"input\": 3", "input"), ("\"input\": []", "input"),
            ("\"input\": [3]", "input[0].type"),
            ("\"input\": [{\"type\": \"computer_call\"}]", "input[0].type"),
            ("\"input\": [{\"type\": \"item_reference\", \"id\": \"x\"}]", "input[0].type"),
            ("\"input\": [{\"type\": \"message\", \"role\": \"king\", \"content\": \"a\"}]", "input[0].role"),
            ("\"input\": [{\"type\": \"function_call\", \"arguments\": \"{}\"}]", "input[0].name"),
            (
                "\"input\": [{\"type\": \"function_call\", \"name\": \"f\", \"arguments\": \"[\"}]",
                "input[0].arguments"
            ),
            (
                "\"input\": [{\"role\": \"user\", \"content\": [{\"type\": \"input_image\"}]}]",
                "input[0].content[0].image_url"
            ),
            ("\"input\": \"a\", \"previous_response_id\": \"resp_1\"", "previous_response_id"),
            ("\"input\": \"a\", \"conversation\": \"c\"", "conversation"),
            ("\"input\": \"a\", \"prompt\": {\"id\": \"p\"}", "prompt"),
            ("\"input\": \"a\", \"background\": true", "background"),
            ("\"input\": \"a\", \"truncation\": \"auto\"", "truncation"),
            ("\"input\": \"a\", \"max_output_tokens\": 0", "max_output_tokens"),
            ("\"input\": \"a\", \"top_logprobs\": 2", "top_logprobs"),
            ("\"input\": \"a\", \"reasoning\": {\"effort\": \"much\"}", "reasoning.effort"),
            ("\"input\": \"a\", \"text\": {\"format\": {\"type\": \"xml\"}}", "text.format.type"),
            ("\"input\": \"a\", \"tools\": [{\"name\": \"f\"}]", "tools[0].type"),
            ("\"input\": \"a\", \"tool_choice\": \"required\"", "tool_choice"),
            // Skipped server tools count in the indices of the others.
            (
                "\"input\": \"a\", \"tools\": [{\"type\": \"web_search\"}, {\"type\": \"function\", \"name\": \"a b\"}]",
                "tools[1]"
            ),
        ])
    func refusals(_ json: String, _ field: String) {
        var errorField: String?
        do { _ = try Self.request("{\(json)}") } catch { errorField = (error as? APIError)?.param }
        #expect(errorField == field)
    }
}
