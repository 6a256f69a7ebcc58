import LeapEngine
import LeapGeneration
import LeapJSON

/// A setting that affects how answers are generated and that can be changed in a chat.
struct ChatSetting: Sendable {
    /// The name as in llama.cpp, with underscores.
    let name: String
    let aliases: [String]
    /// A description of valid values.
    let expected: String
    /// Sets a value from its text, or the default for ``defaultValue``; `false` if the text is not a valid value.
    let set: @Sendable (inout ChatRequest, String) -> Bool
    /// The effective value.
    let value: @Sendable (ChatRequest, SamplerConfiguration) -> String

    /// The word for the default value.
    static let defaultValue = "default"

    /// The setting with a name, however its words are joined.
    static func named(_ name: String) -> ChatSetting? {
        let name = normalized(name)
        return all.first { $0.name == name || $0.aliases.contains(name) }
    }

    /// The name that was probably meant.
    static func suggestion(for name: String) -> String? {
        all.flatMap { [$0.name] + $0.aliases }.closest(to: normalized(name))
    }

    private static func normalized(_ name: String) -> String {
        String(name.lowercased().map { $0 == "-" ? "_" : $0 }.drop { $0 == "_" })
    }
}

// MARK: - The settings

extension ChatSetting {
    /// All settings, in the order in which they are listed.
    static let all = [
        number(
            "temp", ["temperature"], .temperature, "0: always the most likely token", \.options.sampling.temperature,
            \.temperature),
        setting(
            "top_k", expected: "a whole number, 0 or more (0: off)", \.options.sampling.topK, parse: natural,
            value: { "\($1.topK)" }),
        number("top_p", [], .topP, "1: off", \.options.sampling.topP, \.topP),
        number("min_p", [], .minP, "0: off", \.options.sampling.minP, \.minP),
        number(
            "repeat_penalty", ["repetition_penalty"], .repeatPenalty, "1: off",
            \.options.sampling.repetitionPenalty, \.repetitionPenalty),
        number(
            "frequency_penalty", [], .number, "0: off", \.options.sampling.frequencyPenalty, \.frequencyPenalty),
        number(
            "presence_penalty", [], .number, "0: off", \.options.sampling.presencePenalty, \.presencePenalty),
        setting(
            "seed", expected: "a whole number, 0 or more, or -1 for a different one every time", unset: "-1",
            \.options.seed,
            parse: { UInt64($0) }),
        setting(
            "predict", ["n", "n_predict", "num_predict"],
            expected: "the maximum number of tokens in an answer, or -1 for no limit", unset: "-1",
            \.options.maxTokens,
            parse: natural),
        setting(
            "think", ["thinking"], expected: "on or off", \.thinks, parse: { ["on": true, "off": false][$0] },
            value: { request, _ in request.thinks.map { $0 ? "on" : "off" } ?? defaultValue }),
        setting(
            "thinking_budget", ["reasoning_budget"],
            expected: "the maximum number of reasoning tokens, or -1 for no limit", unset: "-1",
            \.options.thinkingBudget,
            parse: natural),
    ]

    private typealias Field<Value> = any WritableKeyPath<ChatRequest, Value?> & Sendable

    /// - Parameters:
    ///   - unset: An alternative spelling of ``defaultValue``.
    ///   - value: The effective value, if it is not the field's.
    private static func setting<Value>(
        _ name: String, _ aliases: [String] = [], expected: String, unset: String = defaultValue,
        _ field: Field<Value>, parse: @escaping @Sendable (String) -> Value?,
        value: (@Sendable (ChatRequest, SamplerConfiguration) -> String)? = nil
    ) -> ChatSetting {
        ChatSetting(
            name: name, aliases: aliases, expected: expected,
            set: { request, text in
                let parsed = parse(text)
                guard parsed != nil || text == defaultValue || text == unset else { return false }
                request[keyPath: field] = parsed
                return true
            }, value: value ?? { request, _ in request[keyPath: field].map { "\($0)" } ?? unset })
    }

    private static func number(
        _ name: String, _ aliases: [String], _ range: SettingRange, _ note: String, _ field: Field<Float>,
        _ inForce: any KeyPath<SamplerConfiguration, Float> & Sendable
    ) -> ChatSetting {
        setting(
            name, aliases, expected: "\(range.text) (\(note))", field,
            parse: { text in Float(text).flatMap { range.contains($0) ? $0 : nil } },
            value: { "\($1[keyPath: inForce])" })
    }

    private static let natural: @Sendable (String) -> Int? = { text in Int(text).flatMap { $0 >= 0 ? $0 : nil } }
}
