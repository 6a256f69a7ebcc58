import LeapSDK
import Testing

@Suite("Chat prompt")
struct ChatPromptTests {
    private static let user = ChatMessage(role: .user, textContent: "Hi")
    private static let history = [ChatMessage(role: .system, textContent: "Be kind."), user]

    /// Renames the chat template's key, so that the file has no template.
    private static let noTemplate = [(old: "tokenizer.chat_template", new: "tokenizer.chat_tomplate")]

    @Test("a file without a chat template uses ChatML if its vocabulary has the ChatML tokens")
    func defaultTemplate() async throws {
        let own = try await load()
        let other = try await load(renaming: Self.noTemplate)
        #expect(
            try await own.getPromptTokensSize(messages: Self.history, addBosToken: true)
                == other.getPromptTokensSize(messages: Self.history, addBosToken: true))
        let answers = [own, other].map {
            $0.createConversationFromHistory(history: Self.history).generateResponse(generationOptions: short)
        }
        #expect(try await collect(answers[0]).text == collect(answers[1]).text)
    }

    @Test("a model without a chat template or ChatML tokens loads, but cannot chat")
    func noTemplate() async throws {
        let runner = try await load(renaming: Self.noTemplate + [(old: "<|im_start|>", new: "<|im_stort|>")])
        await #expect {
            try await collect(runner.createConversation().generateResponse(message: Self.user))
        } throws: {
            "\($0)"
                == "the generation failed: the model has no chat template and no ChatML tokens "
                + "(<|im_start|>, <|im_end|>), so it was probably not trained for chat: set a chat template in the options"
        }
    }

    @Test("the BOS token is added exactly once, whether or not the template writes it")
    func beginToken() async throws {
        let templates = ["{{ messages[0].content }}", "{{ bos_token }}{{ messages[0].content }}"]
        for template in templates {
            let runner = try await load(options: .init(bundlePath: "", chatTemplate: template))
            let with = try await runner.getPromptTokensSize(messages: [Self.user], addBosToken: true)
            let without = try await runner.getPromptTokensSize(messages: [Self.user], addBosToken: false)
            #expect(with == without + 1)
        }
    }

    @Test("an invalid template is rejected when the model is loaded")
    func brokenTemplate() async {
        await #expect {
            try await load(options: .init(bundlePath: "", chatTemplate: "{% if"))
        } throws: { error in
            guard case LeapError.modelLoadingFailure = error else { return false }
            return "\(error)".contains("the chat template is invalid: chat template 1:")
        }
    }

    @Test("an exception raised by the template reaches the caller")
    func refusal() async throws {
        let template = "{{ raise_exception('Roles must alternate.') }}"
        let conversation = try await load(options: .init(bundlePath: "", chatTemplate: template)).createConversation()
        await #expect {
            try await collect(conversation.generateResponse(message: Self.user))
        } throws: { error in
            guard case LeapError.generationFailure = error else { return false }
            return "\(error)".hasPrefix("the generation failed: the messages cannot be rendered: ")
                && "\(error)".contains("Roles must alternate.")
        }
        #expect(conversation.history.isEmpty)
    }

    @Test("a template can access reasoning and function calls")
    func templateFields() async throws {
        let template =
            "{% for m in messages %}{{ m.reasoning_content }}{{ m.tool_calls[0].function.arguments.n }}{% endfor %}"
        let runner = try await load(options: .init(bundlePath: "", chatTemplate: template))
        func size(_ message: ChatMessage) async throws -> Int {
            try await runner.getPromptTokensSize(messages: [message], addBosToken: false)
        }
        let call = try LeapFunctionCall(name: "f", arguments: ["n": 123])
        let full = ChatMessage(role: .assistant, content: [], reasoningContent: "x", functionCalls: [call])
        #expect(try await size(full) == 4)
    }
}
