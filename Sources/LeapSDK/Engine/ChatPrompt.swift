import Foundation
import LeapChat
import LeapGGUF
import LeapTokenizer
import OrderedCollections

/// Turns messages into the tokens that a model was trained to see.
///
/// The rendered template is tokenised as a whole, so text in a message that spells a control token becomes one: whoever
/// puts text of strangers into messages must remove such spellings.
struct ChatPrompt: Sendable {
    /// The messages as tokens.
    struct Rendered: Sendable {
        let tokens: [Token]
        /// Whether the text ends inside a thought that the template opened.
        let startsInReasoning: Bool
    }

    /// `nil` where the model was not trained to chat; it can still continue a text.
    private let template: ChatTemplate?
    private let tokenizer: Tokenizer
    /// Whether the template knows of thoughts, as those of models that think do.
    let mentionsThoughts: Bool

    /// - Parameter source: A template that takes the place of the file's.
    /// - Throws: `TemplateError` for a template that is none, `GGUFError` for one that is no text.
    init(source: String?, metadata: GGUFMetadata, tokenizer: Tokenizer) throws {
        let own = try metadata.stringIfPresent("tokenizer.chat_template")
        let known = source ?? own ?? DefaultChatTemplate.source(for: tokenizer)
        template = try known.map { try ChatTemplate(source: $0) }
        self.tokenizer = tokenizer
        mentionsThoughts = known?.contains("think>") ?? false
    }

    /// Renders and tokenises.
    ///
    /// - Throws: `TemplateError`, or ``LeapError`` for a message with content that the model cannot take.
    func render(_ messages: [ChatMessage], enableThinking: Bool?) throws -> Rendered {
        guard let template else {
            throw LeapError.generationFailure(
                "the model has no chat template and no ChatML tokens (\(DefaultChatTemplate.tokens.joined(separator: ", "))), "
                    + "so it was not trained to chat: give a template in the options", nil)
        }
        var variables: [String: JSONValue] = [:]
        if let enableThinking { variables["enable_thinking"] = .bool(enableThinking) }
        let text = try template.render(
            messages: messages.map(Self.templateMessage), bosToken: text(of: tokenizer.bos),
            eosToken: text(of: tokenizer.eos), variables: variables)
        return Rendered(tokens: tokens(of: text), startsInReasoning: Self.endsInReasoning(text))
    }

    /// Tokens of a text that is continued as it is.
    func tokens(continuing text: String) -> [Token] {
        tokenizer.encode(text, addSpecial: true, parseSpecial: true)
    }

    /// Whether the first of some tokens only marks where a text begins.
    func hasBeginToken(_ tokens: [Token]) -> Bool {
        tokens.first != nil && tokens.first == tokenizer.bos
    }

    private func text(of token: Token?) -> String {
        token.flatMap { tokenizer.text(of: $0) } ?? ""
    }

    /// Most templates write the token that begins a text themselves; where one does not, it is put in front.
    private func tokens(of text: String) -> [Token] {
        let tokens = tokenizer.encode(text, addSpecial: false, parseSpecial: true)
        guard tokenizer.addsBOS, let bos = tokenizer.bos, tokens.first != bos else { return tokens }
        return [bos] + tokens
    }

    /// Templates of models that always think open the thought themselves.
    private static func endsInReasoning(_ prompt: String) -> Bool {
        prompt.trimmingCharacters(in: .whitespacesAndNewlines).hasSuffix("<think>")
    }

    /// A message as templates expect it: its text in one string.
    private static func templateMessage(_ message: ChatMessage) throws -> JSONValue {
        for part in message.content {
            switch part {
            case .text: continue
            case .image: throw unsupported("an image")
            case .audio: throw unsupported("audio")
            }
        }
        var object: OrderedDictionary<String, JSONValue> = [
            "role": .string(message.role.rawValue), "content": .string(message.text),
        ]
        if let reasoning = message.reasoningContent { object["reasoning_content"] = .string(reasoning) }
        if let calls = message.functionCalls { object["tool_calls"] = .array(calls.map(templateCall)) }
        return .object(object)
    }

    /// A call as templates expect it: the arguments are an object.
    private static func templateCall(_ call: LeapFunctionCall) -> JSONValue {
        ["type": "function", "function": ["name": .string(call.name), "arguments": call.argumentsJSON]]
    }

    private static func unsupported(_ content: String) -> LeapError {
        .generationFailure("a message contains \(content), but this model takes text only: leave that part out", nil)
    }
}
