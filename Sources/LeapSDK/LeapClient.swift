import Foundation

/// The lower-level loader of versions 0.10, by paths instead of URLs.
public struct LeapClient: Sendable {
    /// The loader.
    public static let shared = LeapClient()

    private init() {}

    /// Loads a model; `modelPath` overrides `options.bundlePath`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public func loadModel(
        modelPath: String, options: LiquidInferenceEngineOptions? = nil
    ) async throws -> any ModelRunner {
        try await Leap.load(url: URL(filePath: modelPath), options: options)
    }

    /// Loads a model with the projector that lets it see.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public func loadModel(
        modelPath: String, mmprojPath: String?, options: LiquidInferenceEngineOptions? = nil
    ) async throws -> any ModelRunner {
        try await LeapInferenceEngine.shared.loadModel(
            modelPath: modelPath, mmprojPath: mmprojPath, options: options)
    }

    /// Loads a model that hears and speaks.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public func loadModel(
        model: AudioGenerationModelDescriptor, options: LiquidInferenceEngineOptions? = nil
    ) async throws -> any ModelRunner {
        try await LeapInferenceEngine.shared.loadModel(
            modelPath: model.modelPath, mmprojPath: model.mmprojPath, audioDecoderPath: model.audioDecoderPath,
            audioTokenizerPath: model.audioTokenizerPath, options: options)
    }
}

/// The engine behind ``LeapClient`` in versions 0.10.
public struct LeapInferenceEngine: Sendable {
    /// The engine.
    public static let shared = LeapInferenceEngine()

    private init() {}

    /// Loads a model with companion files.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    public func loadModel(
        modelPath: String, mmprojPath: String? = nil, audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil, options: LiquidInferenceEngineOptions? = nil,
        generationTimeParameters: GenerationTimeParameters? = nil
    ) async throws -> any ModelRunner {
        var options = options ?? LiquidInferenceEngineOptions(bundlePath: modelPath)
        options.mmProjPath = mmprojPath ?? options.mmProjPath
        options.audioDecoderPath = audioDecoderPath ?? options.audioDecoderPath
        options.audioTokenizerPath = audioTokenizerPath ?? options.audioTokenizerPath
        return try await Leap.load(
            url: URL(filePath: modelPath), options: options, generationTimeParameters: generationTimeParameters)
    }
}

/// The files of a model that hears and speaks.
public struct AudioGenerationModelDescriptor: Sendable, Hashable {
    /// The model.
    public let modelPath: String
    /// Its projector.
    public let mmprojPath: String?
    /// Its decoder for sound.
    public let audioDecoderPath: String?
    /// Its tokenizer for sound.
    public let audioTokenizerPath: String?

    /// Names the files.
    public init(
        modelPath: String, mmprojPath: String? = nil, audioDecoderPath: String? = nil,
        audioTokenizerPath: String? = nil
    ) {
        self.modelPath = modelPath
        self.mmprojPath = mmprojPath
        self.audioDecoderPath = audioDecoderPath
        self.audioTokenizerPath = audioTokenizerPath
    }
}
