import Foundation
import LeapChat
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Logging

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

    /// What a model is loaded for.
    struct Purpose {
        /// Whether the whole file is brought into memory first.
        var prefetches = false
        /// Whether messages are rendered, for which the chat template must be sound; a text can be continued without it.
        var rendersMessages = true
        /// Bytes that the context may take.
        var availableMemory = SystemMemory.available
    }

    /// Opens a file and binds everything in it.
    ///
    /// - Returns: The model, and what shares it among generations.
    /// - Throws: ``LeapError/modelLoadingFailure(_:_:)``.
    static func load(
        _ options: LiquidInferenceEngineOptions, _ parameters: GenerationTimeParameters?, _ compute: Compute,
        for purpose: Purpose = Purpose()
    ) throws(LeapError) -> (model: LoadedModel, scheduler: Scheduler) {
        let path = options.bundlePath
        guard URL(filePath: path).pathExtension != "bundle" else {
            throw .modelLoadingFailure("'\(path)' is an ExecuTorch bundle: only GGUF files can be loaded", nil)
        }
        try options.refuseCompanions()
        do {
            let file = try GGUFFile(
                path: path, useMmap: options.useMmap ?? true, catchesBusErrors: options.catchesBusErrors)
            let result = Result { try bind(file, options, parameters, compute, for: purpose) }
            // Before what was read is believed, or blamed.
            try file.checkNothingLost()
            return try result.get()
        } catch { throw .loading(path, error) }
    }

    private static func bind(
        _ file: GGUFFile, _ options: LiquidInferenceEngineOptions, _ parameters: GenerationTimeParameters?,
        _ compute: Compute, for purpose: Purpose
    ) throws -> (model: LoadedModel, scheduler: Scheduler) {
        if purpose.prefetches { file.prefetch() }
        // Before the tokenizer: of a file of another architecture that is what there is to say.
        let weights = try LanguageModel.load(
            file, keyType: options.keyCacheType.map(\.keyValueType),
            valueType: options.valueCacheType.map(\.keyValueType))
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let prompt = try prompt(options, file, tokenizer, for: purpose)
        let contextSize = try weights.contextSize(
            options.contextSize.map(Int.init), within: purpose.availableMemory, compute)
        var configuration = SchedulerConfiguration()
        configuration.stateBytes = weights.stateBytes(
            contextSize: contextSize, within: purpose.availableMemory)
        let scheduler = try Scheduler(
            model: weights, tokenizer: tokenizer, compute: compute, contextLength: contextSize, configuration,
            caching: PrefixCacheConfiguration(options.cacheOptions))
        for warning in tokenizer.warnings { warn(file, "\(warning)") }
        let model = LoadedModel(
            weights: weights, compute: compute, prompt: prompt,
            sampling: try RecommendedSampling.of(file.metadata).overridden(by: parameters?.samplingParameters),
            endOfGeneration: tokenizer.endOfGeneration, tokenizer: tokenizer,
            breakers: SequenceBreakers(tokenizer), contextLength: contextSize)
        return (model, scheduler)
    }

    /// The template and what goes with it; without a template where a broken one is of no use to anybody.
    private static func prompt(
        _ options: LiquidInferenceEngineOptions, _ file: GGUFFile, _ tokenizer: Tokenizer, for purpose: Purpose
    ) throws -> ChatPrompt {
        do {
            return try ChatPrompt(
                source: options.chatTemplate, metadata: file.metadata, tokenizer: tokenizer,
                trustsControlTokens: options.trustsControlTokens)
        } catch let error as TemplateError where !purpose.rendersMessages {
            warn(file, "the chat template is broken, so this model can only continue texts: \(error)")
            return ChatPrompt(withoutTemplate: tokenizer)
        }
    }

    private static func warn(_ file: GGUFFile, _ text: String) {
        Logger(label: "leap.model").warning("'\(file.path)': \(text)")
    }
}
