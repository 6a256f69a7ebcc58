public import LeapJSON
import Synchronization

/// How an answer is generated. For values that are `nil`, the defaults given when the model was loaded apply, then
/// those of the model.
///
/// This is a class, so that options in a constant can be changed. A generation copies the values when it starts.
public final class GenerationOptions: Sendable {
    private let storage: Mutex<Values>

    /// Creates options from values.
    public init(_ values: Values) {
        storage = Mutex(values)
    }

    /// A copy of the current values.
    public var values: Values { storage.withLock { $0 } }

    subscript<Value: Sendable>(_ field: any WritableKeyPath<Values, Value> & Sendable) -> Value {
        get { storage.withLock { $0[keyPath: field] } }
        set { storage.withLock { $0[keyPath: field] = newValue } }
    }
}

// MARK: - Values

extension GenerationOptions {
    /// The values of options at one moment.
    public struct Values: Sendable, Hashable {
        /// See ``GenerationOptions/temperature``.
        public var temperature: Float?
        /// See ``GenerationOptions/topP``.
        public var topP: Float?
        /// See ``GenerationOptions/topK``.
        public var topK: Int?
        /// See ``GenerationOptions/minP``.
        public var minP: Float?
        /// See ``GenerationOptions/typicalP``.
        public var typicalP: Float?
        /// See ``GenerationOptions/topNSigma``.
        public var topNSigma: Float?
        /// See ``GenerationOptions/repetitionPenalty``.
        public var repetitionPenalty: Float?
        /// See ``GenerationOptions/frequencyPenalty``.
        public var frequencyPenalty: Float?
        /// See ``GenerationOptions/presencePenalty``.
        public var presencePenalty: Float?
        /// See ``GenerationOptions/penaltyWindow``.
        public var penaltyWindow: Int?
        /// See ``GenerationOptions/dry``.
        public var dry: DRYSampling?
        /// See ``GenerationOptions/xtc``.
        public var xtc: XTCSampling?
        /// See ``GenerationOptions/mirostat``.
        public var mirostat: MirostatSampling?
        /// See ``GenerationOptions/logitBias``.
        public var logitBias: [Int: Float] = [:]
        /// See ``GenerationOptions/topLogprobs``.
        public var topLogprobs: Int?
        /// See ``GenerationOptions/rngSeed``.
        public var rngSeed: UInt64?

        /// See ``GenerationOptions/templateVariables``.
        public var templateVariables: [String: JSONValue] = [:]
        /// See ``GenerationOptions/enableThinking``.
        public var enableThinking: Bool?
        /// See ``GenerationOptions/inlineThinkingTags``.
        public var inlineThinkingTags = false
        /// See ``GenerationOptions/thinkingBudget``.
        public var thinkingBudget: Int?

        /// See ``GenerationOptions/maxOutputTokens``.
        public var maxOutputTokens: Int?
        /// See ``GenerationOptions/maxTokens``.
        public var maxTokens: Int?
        /// See ``GenerationOptions/sequenceLength``.
        public var sequenceLength: Int?
        /// See ``GenerationOptions/stopStrings``.
        public var stopStrings: [String] = []

        /// See ``GenerationOptions/jsonSchemaConstraint``.
        public var jsonSchemaConstraint: String?
        /// See ``GenerationOptions/permitsUndeclaredProperties``.
        public var permitsUndeclaredProperties = false
        /// See ``GenerationOptions/injectSchemaIntoPrompt``.
        public var injectSchemaIntoPrompt = true
        /// See ``GenerationOptions/regexConstraint``.
        public var regexConstraint: String?
        /// See ``GenerationOptions/grammarConstraint``.
        public var grammarConstraint: String?

        var parser = ParserReference(GenerationOptions.defaultParser)
        /// See ``GenerationOptions/resetHistory``.
        public var resetHistory = true
        /// See ``GenerationOptions/cacheControl``.
        public var cacheControl: CacheControl?
        /// See ``GenerationOptions/contextPolicy``.
        public var contextPolicy: ContextPolicy {
            get { policy.value }
            set { policy = Incomparable(newValue) }
        }
        var policy = Incomparable(ContextPolicy.fail)
        /// See ``GenerationOptions/onPromptProgress``.
        public var onPromptProgress: (@Sendable (PromptProgress) -> Void)? {
            get { promptProgress?.value }
            set { promptProgress = newValue.map { Incomparable($0) } }
        }
        var promptProgress: Incomparable<@Sendable (PromptProgress) -> Void>?
        /// See ``GenerationOptions/speculates``.
        public var speculates = true
        /// See ``GenerationOptions/adapterScales``.
        public var adapterScales: [Float]?
        /// See ``GenerationOptions/extras``.
        public var extras: String?

        /// See ``GenerationOptions/functionCallParser``.
        public var functionCallParser: (any LeapFunctionCallParserProtocol)? {
            get { parser.parser }
            set { parser = ParserReference(newValue) }
        }

        /// Creates values that are all defaults.
        public init() {}
    }

    /// A value that contains closures and so cannot be compared: all are equal.
    struct Incomparable<Value: Sendable>: Sendable, Hashable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }

        static func == (left: Self, right: Self) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// A parser, which is passed between threads but used by one generation at a time. Two are equal if they have the
    /// same type.
    struct ParserReference: @unchecked Sendable, Hashable {
        let parser: (any LeapFunctionCallParserProtocol)?

        init(_ parser: (any LeapFunctionCallParserProtocol)?) {
            self.parser = parser
        }

        private var type: ObjectIdentifier? {
            parser.map { ObjectIdentifier(Swift.type(of: $0)) }
        }

        static func == (left: Self, right: Self) -> Bool { left.type == right.type }

        func hash(into hasher: inout Hasher) { hasher.combine(type) }
    }
}
