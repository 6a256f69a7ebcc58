import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer

/// What a runner knows of its model beside the weights.
struct LoadedModel: Sendable {
    let prompt: ChatPrompt
    let sampling: SamplerConfiguration
    let endOfGeneration: Set<Token>
    let tokenizer: Tokenizer
    let breakers: SequenceBreakers
    let constraints = ConstraintCache()

    /// Opens a file and binds everything in it.
    ///
    /// - Parameter prefetch: Whether the whole file is brought into memory first.
    /// - Returns: The model, and the generator that computes with it.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    static func load(
        _ options: LiquidInferenceEngineOptions, _ parameters: GenerationTimeParameters?, _ compute: Compute,
        prefetch: Bool = false
    ) throws(LeapError) -> (model: LoadedModel, generator: TokenGenerator) {
        let path = options.bundlePath
        guard URL(filePath: path).pathExtension != "bundle" else {
            throw .modelLoadingFailure("'\(path)' is an ExecuTorch bundle: only GGUF files can be loaded", nil)
        }
        try options.refuseCompanions()
        do {
            let file = try GGUFFile(path: path, useMmap: options.useMmap ?? true)
            if prefetch { file.prefetch() }
            let tokenizer = try Tokenizer(metadata: file.metadata)
            let model = LoadedModel(
                prompt: try ChatPrompt(source: options.chatTemplate, metadata: file.metadata, tokenizer: tokenizer),
                sampling: try RecommendedSampling.of(file.metadata)
                    .overridden(by: parameters?.samplingParameters),
                endOfGeneration: tokenizer.endOfGeneration, tokenizer: tokenizer,
                breakers: SequenceBreakers(tokenizer))
            let generator = try TokenGenerator(
                model: try LanguageModel.load(
                    file, keyType: options.keyCacheType.map(\.keyValueType),
                    valueType: options.valueCacheType.map(\.keyValueType)),
                tokenizer: tokenizer, compute: compute,
                contextLength: options.contextSize.map(Int.init),
                caching: PrefixCacheConfiguration(options.cacheOptions))
            return (model, generator)
        } catch { throw .loading(path, error) }
    }
}
