import Synchronization

/// How an answer is generated. What is `nil` follows the defaults given when the model was loaded, then those of the
/// model.
///
/// A class, so that a constant can be changed; a generation takes a copy when it starts.
public final class GenerationOptions: Sendable {
    private let storage: Mutex<Values>

    /// The values at one moment.
    public struct Values: Sendable, Hashable {
        /// See ``GenerationOptions/temperature``.
        public var temperature: Float?
        /// See ``GenerationOptions/topP``.
        public var topP: Float?
        /// See ``GenerationOptions/topK``.
        public var topK: Int?
        /// See ``GenerationOptions/minP``.
        public var minP: Float?
        /// See ``GenerationOptions/repetitionPenalty``.
        public var repetitionPenalty: Float?
        /// See ``GenerationOptions/rngSeed``.
        public var rngSeed: UInt64?
        /// See ``GenerationOptions/enableThinking``.
        public var enableThinking: Bool?
        /// See ``GenerationOptions/maxOutputTokens``.
        public var maxOutputTokens: Int?
        /// See ``GenerationOptions/sequenceLength``.
        public var sequenceLength: Int?
        /// See ``GenerationOptions/maxTokens``.
        public var maxTokens: Int?
        /// See ``GenerationOptions/inlineThinkingTags``.
        public var inlineThinkingTags = false

        /// Nothing but defaults.
        public init() {}
    }

    /// Makes options; what is left out follows the model's defaults.
    public init(
        temperature: Float? = nil, topP: Float? = nil, topK: Int? = nil, minP: Float? = nil,
        repetitionPenalty: Float? = nil, rngSeed: UInt64? = nil, enableThinking: Bool? = nil,
        maxOutputTokens: Int? = nil, sequenceLength: Int? = nil, maxTokens: Int? = nil, inlineThinkingTags: Bool = false
    ) {
        var values = Values()
        values.temperature = temperature
        values.topP = topP
        values.topK = topK
        values.minP = minP
        values.repetitionPenalty = repetitionPenalty
        values.rngSeed = rngSeed
        values.enableThinking = enableThinking
        values.maxOutputTokens = maxOutputTokens
        values.sequenceLength = sequenceLength
        values.maxTokens = maxTokens
        values.inlineThinkingTags = inlineThinkingTags
        storage = Mutex(values)
    }

    /// Makes options of values.
    public init(_ values: Values) {
        storage = Mutex(values)
    }

    /// The values at this moment.
    public var values: Values { storage.withLock { $0 } }

    private subscript<Value: Sendable>(_ field: any WritableKeyPath<Values, Value> & Sendable) -> Value {
        get { storage.withLock { $0[keyPath: field] } }
        set { storage.withLock { $0[keyPath: field] = newValue } }
    }
}

// MARK: - Fields

extension GenerationOptions {
    /// Divides the logits: low values are predictable, high ones are varied. 0 takes the likeliest token, always.
    public var temperature: Float? {
        get { self[\.temperature] }
        set { self[\.temperature] = newValue }
    }

    /// Draws from the fewest likeliest tokens whose probabilities sum to at least this; 1 is off.
    public var topP: Float? {
        get { self[\.topP] }
        set { self[\.topP] = newValue }
    }

    /// Draws from this many of the likeliest tokens; 0 is off.
    public var topK: Int? {
        get { self[\.topK] }
        set { self[\.topK] = newValue }
    }

    /// Draws from tokens at least this times as probable as the likeliest; 0 is off.
    public var minP: Float? {
        get { self[\.minP] }
        set { self[\.minP] = newValue }
    }

    /// Makes tokens less likely that occur among the last ones; 1 is off.
    public var repetitionPenalty: Float? {
        get { self[\.repetitionPenalty] }
        set { self[\.repetitionPenalty] = newValue }
    }

    /// Start of the random numbers, for answers that can be repeated; `nil` is another one every time.
    public var rngSeed: UInt64? {
        get { self[\.rngSeed] }
        set { self[\.rngSeed] = newValue }
    }

    /// The chat template's variable `enable_thinking`; `nil` leaves it undefined. A model that thinks regardless is split
    /// into reasoning and text regardless.
    public var enableThinking: Bool? {
        get { self[\.enableThinking] }
        set { self[\.enableThinking] = newValue }
    }

    /// The most tokens to generate.
    public var maxOutputTokens: Int? {
        get { self[\.maxOutputTokens] }
        set { self[\.maxOutputTokens] = newValue }
    }

    /// The most tokens of prompt and answer together, if smaller than the context.
    public var sequenceLength: Int? {
        get { self[\.sequenceLength] }
        set { self[\.sequenceLength] = newValue }
    }

    /// Another name of ``maxOutputTokens``; where both are given, the smaller one counts.
    public var maxTokens: Int? {
        get { self[\.maxTokens] }
        set { self[\.maxTokens] = newValue }
    }

    /// Whether thoughts are delivered as `.chunk`, with their tags, instead of `.reasoningChunk`.
    public var inlineThinkingTags: Bool {
        get { self[\.inlineThinkingTags] }
        set { self[\.inlineThinkingTags] = newValue }
    }
}

// MARK: - Builders

extension GenerationOptions {
    private func with<Value>(_ field: WritableKeyPath<Values, Value>, _ value: Value) -> GenerationOptions {
        var values = values
        values[keyPath: field] = value
        return GenerationOptions(values)
    }

    /// A copy with another temperature.
    public func with(temperature: Float) -> GenerationOptions { with(\.temperature, temperature) }

    /// A copy with another ``topP``.
    public func with(topP: Float) -> GenerationOptions { with(\.topP, topP) }

    /// A copy with another ``topK``.
    public func with(topK: Int) -> GenerationOptions { with(\.topK, topK) }

    /// A copy with another ``minP``.
    public func with(minP: Float) -> GenerationOptions { with(\.minP, minP) }

    /// A copy with another ``repetitionPenalty``.
    public func with(repetitionPenalty: Float) -> GenerationOptions { with(\.repetitionPenalty, repetitionPenalty) }

    /// A copy with another ``rngSeed``.
    public func with(rngSeed: UInt64) -> GenerationOptions { with(\.rngSeed, rngSeed) }

    /// A copy with another ``enableThinking``.
    public func with(enableThinking: Bool) -> GenerationOptions { with(\.enableThinking, enableThinking) }

    /// A copy with another ``maxTokens``.
    public func with(maxTokens: Int) -> GenerationOptions { with(\.maxTokens, maxTokens) }

    /// A copy with another ``inlineThinkingTags``.
    public func with(inlineThinkingTags: Bool) -> GenerationOptions {
        with(\.inlineThinkingTags, inlineThinkingTags)
    }
}
