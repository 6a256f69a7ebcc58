import LeapChat
import LeapEngine

/// Finds out what a chat template does with settings, by rendering the same message with and without them.
struct TemplateProbe {
    private let model: LoadedModel
    private let settings: ChatRequest
    private let systemMessages: [Message]

    /// - Parameters:
    ///   - settings: The settings that are in force.
    ///   - history: The conversation; only its system prompt matters.
    init(model: LoadedModel, settings: ChatRequest, history: [Message]) {
        self.model = model
        self.settings = settings
        systemMessages = history.filter { $0.role == .system }
    }

    /// Whether the template's source contains the name of a variable.
    func mentions(_ variable: String) -> Bool { model.chatTemplate?.contains(variable) ?? false }

    /// Whether there are functions that the model may call.
    var hasTools: Bool { !settings.tools.isEmpty }

    /// Whether the template shows that its model reasons.
    var mentionsThoughts: Bool { model.chatTemplate.map { model.dialect.thinks(in: $0) } ?? false }

    /// Whether an answer must satisfy a constraint, before which a model that reasons may do so unless that is turned off.
    var isConstrained: Bool { settings.options.constraint != nil }

    /// Whether two changes of the settings lead to the same prompt. If one cannot be rendered, an answer will say why.
    func isSame(_ change: (inout ChatRequest) -> Void, _ other: (inout ChatRequest) -> Void) -> Bool {
        guard let one = prompt(after: change), let another = prompt(after: other) else { return false }
        return one == another
    }

    private func prompt(after change: (inout ChatRequest) -> Void) -> String? {
        var request = settings
        request.messages = systemMessages + [Message(.user, "x")]
        change(&request)
        return try? model.text(of: request)
    }
}
