import Foundation
package import LeapBlocks
import LeapEngine
import LeapGeneration
import LeapHub

extension ModelOptions {
    /// Converts the options to those of the engine.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` for values that no model accepts.
    init(_ options: LiquidInferenceEngineOptions) throws(LeapError) {
        let path = options.bundlePath
        guard URL(filePath: path).pathExtension != "bundle" else {
            throw .modelLoadingFailure("'\(path)' is an ExecuTorch bundle: only GGUF files can be loaded", nil)
        }
        self.init(path: path)
        projectorPath = options.mmProjPath
        vocoderPath = options.audioDecoderPath
        audioTokenizerPath =
            options.audioTokenizerPath ?? options.audioDecoderPath.flatMap(CompanionFiles.tokenizer(besideFile:))
        adapters = options.adapters.map { AdapterOptions(path: $0.path, scale: $0.scale) }
        imageMinTokens = options.imageMinTokens
        imageMaxTokens = options.imageMaxTokens
        contextSize = options.contextSize.map(Int.init)
        keyType = options.keyCacheType?.keyValueType
        valueType = options.valueCacheType?.keyValueType
        chatTemplate = options.chatTemplate
        trustsControlTokens = options.trustsControlTokens
        caching = PrefixCacheConfiguration(options.cacheOptions)
        usesMmap = options.useMmap ?? true
        catchesBusErrors = options.catchesBusErrors
    }
}

extension LiquidInferenceEngineOptions {
    /// Returns the parameters in ``extras``; `nil` if there are none.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` if the extras are not a JSON object, or parameters have the
    ///   wrong types.
    public func toGenerationTimeParameters() throws(LeapError) -> GenerationTimeParameters? {
        guard let extras else { return nil }
        do {
            let parameters = try JSONDecoder().decode(GenerationTimeParameters.self, from: Data(extras.utf8))
            return parameters == GenerationTimeParameters() ? nil : parameters
        } catch {
            throw .modelLoadingFailure(
                "the options' extras must be a JSON object of parameters, found: \(extras.prefix(80))", error)
        }
    }
}

extension LiquidInferenceEngineOptions {
    /// Returns the given parameters, completed by those in ``extras``.
    ///
    /// - Throws: As ``toGenerationTimeParameters()``.
    package func parameters(beside given: GenerationTimeParameters?) throws(LeapError) -> GenerationTimeParameters? {
        let own = try toGenerationTimeParameters()
        return given?.over(own) ?? own
    }
}

extension GenerationTimeParameters {
    /// Returns these parameters, in which `nil` values are replaced by those of others.
    package func over(_ others: GenerationTimeParameters?) -> GenerationTimeParameters {
        GenerationTimeParameters(
            samplingParameters: samplingParameters?.over(others?.samplingParameters) ?? others?.samplingParameters,
            numberOfDecodingThreads: numberOfDecodingThreads ?? others?.numberOfDecodingThreads)
    }
}

extension SamplingParameters {
    fileprivate func over(_ others: SamplingParameters?) -> SamplingParameters {
        SamplingParameters(
            temperature: temperature ?? others?.temperature, topP: topP ?? others?.topP, minP: minP ?? others?.minP,
            repetitionPenalty: repetitionPenalty ?? others?.repetitionPenalty, topK: topK ?? others?.topK,
            audioTemperature: audioTemperature ?? others?.audioTemperature, audioTopK: audioTopK ?? others?.audioTopK)
    }
}

extension KeyValueCacheType {
    /// The engine's type of the same name.
    var keyValueType: KeyValueType {
        switch self {
        case .f16: .f16
        case .f32: .f32
        case .bf16: .bf16
        case .q8_0: .q8_0
        }
    }

    /// The type of the same name as one of the engine's.
    package init(_ type: KeyValueType) {
        switch type {
        case .f16: self = .f16
        case .f32: self = .f32
        case .bf16: self = .bf16
        case .q8_0: self = .q8_0
        }
    }
}

extension SpeechOptions {
    /// How audio codes are sampled, from the parameters given at load time.
    init(_ parameters: SamplingParameters?) {
        self.init(temperature: parameters?.audioTemperature.map { Float($0) }, topK: parameters?.audioTopK)
    }
}
