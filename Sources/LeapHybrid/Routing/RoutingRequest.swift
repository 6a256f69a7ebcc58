public import LeapSDKTypes

/// What a ``RoutingPolicy`` decides about.
public struct RoutingRequest: Sendable {
    /// The history, with the message that is to be answered.
    public let messages: [ChatMessage]
    /// The functions that the model may ask to call.
    public let functions: [LeapFunction]
    /// How the answer is to be generated.
    public let options: GenerationOptions.Values
    /// What each side can do.
    public let capabilities: [HybridSide: HybridCapabilities]
    /// How each side has done lately; a side that never failed is not there.
    public let failures: [HybridSide: HybridFailures]
    /// The model on this machine.
    public let modelRunner: any ModelRunner

    /// Makes a request.
    public init(
        messages: [ChatMessage], functions: [LeapFunction], options: GenerationOptions.Values,
        capabilities: [HybridSide: HybridCapabilities], failures: [HybridSide: HybridFailures],
        modelRunner: any ModelRunner
    ) {
        self.messages = messages
        self.functions = functions
        self.options = options
        self.capabilities = capabilities
        self.failures = failures
        self.modelRunner = modelRunner
    }

    /// The number of tokens of the prompt for the local model. It is counted when asked for, in some milliseconds.
    ///
    /// - Throws: `LeapError` where the local model cannot take the messages.
    public func promptTokens() async throws -> Int {
        try await modelRunner.getPromptTokensSize(messages: messages, addBosToken: true)
    }

    /// What a side must be able to do to answer.
    public var needs: HybridCapabilities {
        var needs: HybridCapabilities = []
        for case .image in messages.lazy.flatMap(\.content) { needs.insert(.images) }
        for case .audio in messages.lazy.flatMap(\.content) { needs.insert(.audio) }
        if !functions.isEmpty { needs.insert(.tools) }
        if options.jsonSchemaConstraint != nil { needs.insert(.schemas) }
        if options.regexConstraint != nil || options.grammarConstraint != nil { needs.insert(.grammars) }
        return needs
    }

    /// What a side cannot do of what is needed.
    public func lacks(_ side: HybridSide) -> HybridCapabilities {
        needs.subtracting(capabilities[side] ?? [])
    }
}

/// How often a side failed since it last succeeded.
public struct HybridFailures: Sendable, Hashable {
    /// How often.
    public var count: Int
    /// When last.
    public var last: ContinuousClock.Instant

    /// Makes a record.
    public init(count: Int, last: ContinuousClock.Instant) {
        self.count = count
        self.last = last
    }
}
