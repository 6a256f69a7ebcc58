/// How a model is loaded.
public struct LiquidInferenceEngineOptions: Sendable, Hashable {
    /// The path of the GGUF file.
    public var bundlePath: String
    /// Threads that compute; `nil` is one per CPU that the process may use, which is also the most.
    public var cpuThreads: UInt32?
    /// The most tokens of prompt and answer together; `nil` is what the model was trained on, which is also the most.
    /// Memory for the context is taken only as it fills.
    public var contextSize: UInt32?
    /// A chat template in Jinja that takes the place of the file's.
    public var chatTemplate: String?
    /// Whether the file is mapped instead of read; `nil` is yes.
    public var useMmap: Bool?

    /// Makes options; what is left out follows the model or the engine.
    public init(
        bundlePath: String, cpuThreads: UInt32? = nil, contextSize: UInt32? = nil, chatTemplate: String? = nil,
        useMmap: Bool? = nil
    ) {
        self.bundlePath = bundlePath
        self.cpuThreads = cpuThreads
        self.contextSize = contextSize
        self.chatTemplate = chatTemplate
        self.useMmap = useMmap
    }
}

// MARK: - Builders

extension LiquidInferenceEngineOptions {
    private func with<Value>(_ field: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: field] = value
        return copy
    }

    /// A copy with another ``cpuThreads``.
    public func with(cpuThreads: UInt32) -> Self { with(\.cpuThreads, cpuThreads) }

    /// A copy with another ``contextSize``.
    public func with(contextSize: UInt32) -> Self { with(\.contextSize, contextSize) }

    /// A copy with another ``chatTemplate``.
    public func with(chatTemplate: String) -> Self { with(\.chatTemplate, chatTemplate) }

    /// A copy with another ``useMmap``.
    public func with(useMmap: Bool) -> Self { with(\.useMmap, useMmap) }
}
