import Foundation
package import LeapBlocks
import LeapEngine
import LeapGeneration

extension ModelOptions {
    /// The engine's options that say the same.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` for what no model takes.
    init(_ options: LiquidInferenceEngineOptions) throws(LeapError) {
        let path = options.bundlePath
        guard URL(filePath: path).pathExtension != "bundle" else {
            throw .modelLoadingFailure("'\(path)' is an ExecuTorch bundle: only GGUF files can be loaded", nil)
        }
        try options.refuseCompanions()
        self.init(path: path)
        projectorPath = options.mmProjPath
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
    /// Sound is neither taken nor given yet, so a model that is to hear is not loaded as one that silently cannot.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` naming the file.
    func refuseCompanions() throws(LeapError) {
        let companions = [
            (audioDecoderPath, "a decoder for sound"), (audioTokenizerPath, "a tokenizer for sound"),
        ]
        for case (let path?, let kind) in companions {
            throw .modelLoadingFailure(
                "'\(path)' is given as \(kind), but models do not speak yet: leave it out", nil)
        }
    }

    /// The parameters in ``extras``; `nil` where it has none.
    ///
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)`` for extras that are no JSON object, or parameters of the wrong
    ///   types.
    public func toGenerationTimeParameters() throws(LeapError) -> GenerationTimeParameters? {
        guard let extras else { return nil }
        do {
            return try JSONDecoder().decode(GenerationTimeParameters.self, from: Data(extras.utf8))
        } catch {
            throw .modelLoadingFailure(
                "the options' extras are no JSON object of parameters: \(extras.prefix(80))", error)
        }
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
