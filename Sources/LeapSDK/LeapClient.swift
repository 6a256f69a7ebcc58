import Foundation

/// The lower-level loader of versions 0.10, which takes paths instead of URLs.
public struct LeapClient: Sendable {
    /// The shared instance.
    public static let shared = LeapClient()

    private init() {}

    /// Loads a model from `modelPath`, which overrides `options.bundlePath`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public func loadModel(
        modelPath: String, options: LiquidInferenceEngineOptions? = nil
    ) async throws -> any ModelRunner {
        try await Leap.load(url: URL(filePath: modelPath), options: options)
    }

    /// Loads a model with a projector for image or audio input.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
    public func loadModel(
        modelPath: String, mmprojPath: String?, options: LiquidInferenceEngineOptions? = nil
    ) async throws -> any ModelRunner {
        try await LeapInferenceEngine.shared.loadModel(
            modelPath: modelPath, mmprojPath: mmprojPath, options: options)
    }

    /// Loads a model with audio input and output.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
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
    /// The shared instance.
    public static let shared = LeapInferenceEngine()

    private init() {}

    /// Loads a model with its companion files. Given paths override those in `options`.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the model cannot be loaded.
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

/// The files of a model with audio input and output.
public struct AudioGenerationModelDescriptor: Sendable, Hashable {
    /// The path of the model.
    public let modelPath: String
    /// The path of the projector.
    public let mmprojPath: String?
    /// The path of the audio decoder.
    public let audioDecoderPath: String?
    /// The path of the audio tokenizer.
    public let audioTokenizerPath: String?

    /// Creates a descriptor.
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
