import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer

/// What a runner knows of its model beside the weights.
struct LoadedModel: Sendable {
    let weights: LanguageModel
    let compute: Compute
    let prompt: ChatPrompt
    let sampling: SamplerConfiguration
    let endOfGeneration: Set<Token>
    let tokenizer: Tokenizer
    let breakers: SequenceBreakers
    /// The most tokens of prompt and answer together.
    let contextLength: Int
    let constraints = ConstraintCache()

    /// Opens a file and binds everything in it.
    ///
    /// - Parameters:
    ///   - prefetch: Whether the whole file is brought into memory first.
    ///   - availableMemory: Bytes that the context may take.
    /// - Returns: The model, and the generator that computes with it.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    static func load(
        _ options: LiquidInferenceEngineOptions, _ parameters: GenerationTimeParameters?, _ compute: Compute,
        prefetch: Bool = false, availableMemory: Int = SystemMemory.available
    ) throws(LeapError) -> (model: LoadedModel, generator: TokenGenerator) {
        let path = options.bundlePath
        guard URL(filePath: path).pathExtension != "bundle" else {
            throw .modelLoadingFailure("'\(path)' is an ExecuTorch bundle: only GGUF files can be loaded", nil)
        }
        try options.refuseCompanions()
        do {
            let file = try GGUFFile(
                path: path, useMmap: options.useMmap ?? true, catchesBusErrors: options.catchesBusErrors)
            if prefetch { file.prefetch() }
            let result = Result { try bind(file, options, parameters, compute, within: availableMemory) }
            // Before what was read is believed, or blamed.
            try file.checkNothingLost()
            return try result.get()
        } catch { throw .loading(path, error) }
    }

    private static func bind(
        _ file: GGUFFile, _ options: LiquidInferenceEngineOptions, _ parameters: GenerationTimeParameters?,
        _ compute: Compute, within availableMemory: Int
    ) throws -> (model: LoadedModel, generator: TokenGenerator) {
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let weights = try LanguageModel.load(
            file, keyType: options.keyCacheType.map(\.keyValueType),
            valueType: options.valueCacheType.map(\.keyValueType))
        let generator = try TokenGenerator(
            model: weights, tokenizer: tokenizer, compute: compute,
            contextLength: try weights.contextSize(
                options.contextSize.map(Int.init), within: availableMemory, compute),
            caching: PrefixCacheConfiguration(options.cacheOptions))
        let model = LoadedModel(
            weights: weights, compute: compute,
            prompt: try ChatPrompt(source: options.chatTemplate, metadata: file.metadata, tokenizer: tokenizer),
            sampling: try RecommendedSampling.of(file.metadata).overridden(by: parameters?.samplingParameters),
            endOfGeneration: tokenizer.endOfGeneration, tokenizer: tokenizer,
            breakers: SequenceBreakers(tokenizer), contextLength: generator.contextLength)
        return (model, generator)
    }
}
