import LeapChat
import LeapGGUF
import _LeapTestSupport

/// Parsing a chat template, and rendering a long conversation with it.
func registerTemplates() {
    registerParsing()
    for turns in [1, 100] { registerRendering(turns: turns) }
}

private func registerParsing() {
    measure(["template", "parse", "chatml"], Work()) {
        let source = try templateSource()
        return Iteration { _ = try ChatTemplate(source: source) }
    }
}

private func registerRendering(turns: Int) {
    measure(["template", "render", "chatml", "\(turns)-turns"], Work()) {
        let template = try ChatTemplate(source: templateSource())
        let messages = conversation(turns: turns)
        return Iteration { _ = try template.render(messages: messages) }
    }
}

private func templateSource() throws -> String {
    try GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path).metadata.string("tokenizer.chat_template")
}

private func conversation(turns: Int) -> [JSONValue] {
    (0..<turns).flatMap { turn -> [JSONValue] in
        [
            ["role": "user", "content": .string("Question \(turn): what is the capital of France?")],
            ["role": "assistant", "content": "The capital of France is Paris."],
        ]
    }
}
