public import LeapSDKTypes

/// A request for an answer, about which a ``RoutingPolicy`` decides.
public struct RoutingRequest: Sendable {
    /// The history, including the message to answer.
    public let messages: [ChatMessage]
    /// The functions that the model can call.
    public let functions: [LeapFunction]
    /// The generation options.
    public let options: GenerationOptions.Values
    /// The capabilities of each side.
    public let capabilities: [HybridSide: HybridCapabilities]
    /// The failures of each side since its last success; a side without failures has no entry.
    public let failures: [HybridSide: HybridFailures]
    /// The model on this machine.
    public let modelRunner: any ModelRunner

    /// Creates a request.
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

    /// Counts the tokens of the messages in the prompt for the local model, which takes a few milliseconds. The
    /// functions and the schema, which the prompt may contain too, are not counted.
    ///
    /// - Throws: `LeapError` if the local model does not accept the messages.
    public func promptTokens() async throws -> Int {
        try await modelRunner.getPromptTokensSize(messages: messages, addBosToken: true)
    }

    /// The capabilities that a side needs to answer.
    public var needs: HybridCapabilities {
        var needs: HybridCapabilities = []
        for case .image in messages.lazy.flatMap(\.content) { needs.insert(.images) }
        for case .audio in messages.lazy.flatMap(\.content) { needs.insert(.audio) }
        if !functions.isEmpty { needs.insert(.tools) }
        if options.jsonSchemaConstraint != nil { needs.insert(.schemas) }
        if options.regexConstraint != nil || options.grammarConstraint != nil { needs.insert(.grammars) }
        return needs
    }

    /// Returns the needed capabilities that a side lacks.
    public func lacks(_ side: HybridSide) -> HybridCapabilities {
        needs.subtracting(capabilities[side] ?? [])
    }
}

/// The failures of a side since its last success.
public struct HybridFailures: Sendable, Hashable {
    /// The number of failures.
    public var count: Int
    /// The time of the last failure.
    public var last: ContinuousClock.Instant

    /// Creates a record.
    public init(count: Int, last: ContinuousClock.Instant) {
        self.count = count
        self.last = last
    }
}
