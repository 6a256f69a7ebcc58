import LeapChat
import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

/// Answers that continue a beginning given in the request.
@Suite("Answer prefill")
struct PrefillTests {
    private static func fields(_ messages: String, _ more: String) throws -> FieldReader {
        FieldReader(try #require(try JSONValue(parsing: "{\"messages\": [\(messages)]\(more)}").object))
    }

    private static func chat(_ messages: String, _ more: String = "", isShown: Bool = false) throws -> ChatRequest {
        guard case .chat(let chat) = try ChatCompletionRequest(fields(messages, more), isShown: isShown).job.subject
        else {
            throw CancellationError()
        }
        return chat
    }

    /// The `param` of the error that a request is refused with.
    private static func blamed(_ read: () throws -> Void) -> String? {
        do { try read() } catch { return (error as? APIError)?.param }
        return nil
    }

    private static let user = "{\"role\": \"user\", \"content\": \"a\"}"
    private static let assistant = "{\"role\": \"assistant\", \"content\": \"The\"}"
    private static let tools = "\"tools\": [{\"type\": \"function\", \"function\": {\"name\": \"f\"}}]"

    @Test("a trailing assistant message prefills the answer, unless add_generation_prompt is true")
    func beginning() throws {
        let both = "\(Self.user), \(Self.assistant)"
        #expect(try Self.chat(both).beginning == "The")
        #expect(try Self.chat(both).messages == [Message(.user, "a")])
        #expect(try Self.chat(both, ", \"add_generation_prompt\": true").messages.count == 2)
    }

    @Test("add_generation_prompt and continue_final_message select a prefill, and must not conflict")
    func switches() throws {
        let both = "\(Self.user), \(Self.assistant)"
        let (adds, continues) = (", \"add_generation_prompt\": ", ", \"continue_final_message\": ")
        for more in [adds + "false", continues + "true", adds + "false" + continues + "true"] {
            #expect(try Self.chat(both, more).beginning == "The")
        }
        for more in [continues + "false", adds + "true" + continues + "false"] {
            #expect(try Self.chat(both, more).messages.count == 2)
        }
        #expect(Self.blamed { _ = try Self.chat(Self.user, adds + "false") } == "add_generation_prompt")
        #expect(Self.blamed { _ = try Self.chat(Self.user, continues + "true") } == "continue_final_message")
        #expect(Self.blamed { _ = try Self.chat(both, adds + "true" + continues + "true") } == "continue_final_message")
        #expect(try Self.chat(Self.user, adds + "true" + continues + "false").beginsAnswer)
    }

    @Test("a rendered prompt without a generation prompt ends after the last message")
    func shown() throws {
        let both = "\(Self.user), \(Self.assistant)"
        for messages in [Self.user, both] {
            let chat = try Self.chat(messages, ", \"add_generation_prompt\": false", isShown: true)
            #expect(!chat.beginsAnswer && chat.beginning.isEmpty)
        }
        #expect(try Self.chat(both, isShown: true).beginning == "The")
    }

    @Test(
        "a prefill that conflicts with a constraint, a forced call or another message is refused",
        arguments: [
            (assistant, ", \"response_format\": {\"type\": \"json_object\"}", "messages"),
            (assistant, ", \"grammar\": \"root ::= [a]\"", "messages"),
            (assistant, ", \(tools), \"tool_choice\": \"required\"", "tool_choice"),
            (
                assistant, ", \(tools), \"tool_choice\": {\"type\": \"function\", \"function\": {\"name\": \"f\"}}",
                "tool_choice"
            ),
            ("\(assistant), \(assistant)", "", "messages"),
            ("{\"role\": \"assistant\", \"content\": \"The\", \"reasoning_content\": \"Hm.\"}", "", "messages"),
        ])
    func refusals(_ last: String, _ more: String, _ field: String) throws {
        #expect(Self.blamed { _ = try Self.chat("\(Self.user), \(last)", more) } == field)
        _ = try Self.chat("\(Self.user), \(last)", more + ", \"add_generation_prompt\": true")
    }

    @Test("a prefill without any other message is refused")
    func prefillOnly() {
        #expect(Self.blamed { _ = try Self.chat(Self.assistant) } == "messages")
    }

    @Test("the same prefill rules hold for ollama and Anthropic")
    func dialects() {
        let forced = ", \"model\": \"m\", \(Self.tools), \"tool_choice\": \"required\""
        let both = "\(Self.user), \(Self.assistant)"
        #expect(Self.blamed { _ = try OllamaRequest.chat(Self.fields(both, forced)) } == "tool_choice")
        let thought = "{\"role\": \"assistant\", \"content\": \"The\", \"thinking\": \"Hm.\"}"
        #expect(
            Self.blamed { _ = try OllamaRequest.chat(Self.fields("\(Self.user), \(thought)", ", \"model\": \"m\"")) }
                == "messages")
        let blocks = "{\"role\": \"assistant\", \"content\": [{\"type\": \"thinking\", \"thinking\": \"Hm.\"}]}"
        for last in [blocks, "\(Self.assistant), \(Self.assistant)"] {
            #expect(
                Self.blamed { _ = try MessagesRequest(Self.fields("\(Self.user), \(last)", ", \"max_tokens\": 1")) }
                    == "messages")
        }
    }
}
