public import LeapEngine
import LeapGeneration
public import LeapJSON

/// How a model answers requests that do not say.
public struct AnswerDefaults: Sendable, Hashable {
    /// Changes to the sampling that the model's file recommends.
    public var sampling = SamplingOverrides()
    /// The seed of the random numbers; `nil` for a random one per answer.
    public var seed: UInt64?
    /// The most tokens of an answer; `nil` if only the context limits it.
    public var maxTokens: Int?
    /// Whether the model should think; `nil` if the template decides.
    public var thinks: Bool?
    /// The most tokens of thoughts; `nil` for no limit.
    public var thinkingBudget: Int?
    /// Whether thoughts are part of the text, between their marks.
    public var inlinesThoughts = false
    /// Variables of the chat template.
    public var templateVariables: [String: JSONValue] = [:]

    /// Nothing that the model's file does not recommend itself.
    public init() {}

    /// Completes a request.
    func complete(_ job: AnswerJob) -> AnswerJob {
        guard case .chat(let chat) = job.subject else {
            return job.changed { options in
                options = complete(options)
                options.maxTokens = options.maxTokens ?? job.usualTokens
            }
        }
        var job = job
        job.subject = .chat(complete(chat))
        return job
    }

    /// Completes a conversation.
    func complete(_ chat: ChatRequest) -> ChatRequest {
        var chat = chat
        chat.options = complete(chat.options)
        var variables = templateVariables
        if chat.thinks != nil {
            // A request's own wish counts more than a variable with the same meaning.
            for name in ChatRequest.thinkingVariables { variables[name] = nil }
        }
        chat.thinks = chat.thinks ?? thinks
        chat.templateVariables = variables.merging(chat.templateVariables) { _, own in own }
        return chat
    }

    private func complete(_ options: AnswerOptions) -> AnswerOptions {
        var options = options
        options.sampling = options.sampling.over(sampling)
        options.seed = options.seed ?? seed
        options.maxTokens = options.maxTokens ?? maxTokens
        options.thinkingBudget = options.thinkingBudget ?? thinkingBudget
        options.inlinesThoughts = options.inlinesThoughts ?? inlinesThoughts
        return options
    }
}

extension AnswerDefaults {
    /// The settings of answers that the model and these defaults lead to, under llama-server's names.
    func json(for model: LoadedModel) -> JSONValue {
        let sampling = model.sampling(sampling)
        return [
            "seed": seed.map { JSONValue(exactly: $0) } ?? -1, "temperature": JSONValue(short: sampling.temperature),
            "top_k": .integer(sampling.topK), "top_p": JSONValue(short: sampling.topP),
            "min_p": JSONValue(short: sampling.minP), "typical_p": JSONValue(short: sampling.typicalP),
            "top_n_sigma": JSONValue(short: sampling.topNSigma),
            "repeat_penalty": JSONValue(short: sampling.repetitionPenalty),
            "repeat_last_n": .integer(sampling.penaltyWindow == .max ? -1 : sampling.penaltyWindow),
            "presence_penalty": JSONValue(short: sampling.presencePenalty),
            "frequency_penalty": JSONValue(short: sampling.frequencyPenalty),
            "dry_multiplier": JSONValue(short: sampling.dry.multiplier),
            "xtc_probability": JSONValue(short: sampling.xtcProbability),
            "xtc_threshold": JSONValue(short: sampling.xtcThreshold),
            "max_tokens": .integer(maxTokens ?? -1), "n_predict": .integer(maxTokens ?? -1),
        ]
    }
}

extension AnswerDefaults {
    /// What differs from the model's own settings, as a Modelfile of ollama says it: a name and a value on every line.
    var parameterLines: String {
        let window = sampling.penaltyWindow.map { $0 == .max ? -1 : $0 }
        let values: [(String, (any CustomStringConvertible)?)] = [
            ("temperature", sampling.temperature), ("top_k", sampling.topK), ("top_p", sampling.topP),
            ("min_p", sampling.minP), ("typical_p", sampling.typicalP), ("repeat_penalty", sampling.repetitionPenalty),
            ("repeat_last_n", window), ("presence_penalty", sampling.presencePenalty),
            ("frequency_penalty", sampling.frequencyPenalty), ("seed", seed), ("num_predict", maxTokens),
        ]
        return values.compactMap { name, value in value.map { "\(name) \($0)" } }.joined(separator: "\n")
    }
}

extension JSONValue {
    /// A number with as few digits as it takes to tell it from others in single precision.
    fileprivate init(short number: Float) { self = Double("\(number)").map { .number($0) } ?? .null }

    fileprivate init(exactly number: UInt64) {
        self = Int(exactly: number).map { .integer($0) } ?? .largeInteger("\(number)")
    }
}
