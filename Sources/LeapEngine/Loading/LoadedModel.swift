public import LeapChat
public import LeapGGUF
public import LeapGeneration
public import LeapModels
import LeapOps
public import LeapTokenizer
import Logging

/// A model, and what is known about it in addition to its weights.
public struct LoadedModel: Sendable {
    /// The weights.
    public let weights: LanguageModel
    /// The tokenizer.
    public let tokenizer: Tokenizer
    /// The most tokens of prompt and answer together.
    public let contextLength: Int
    /// How the model's makers recommend that its tokens are drawn.
    let recommendedSampling: SamplerConfiguration

    let compute: Compute
    /// What lets the model see; `nil` if it does not.
    public var vision: Vision? { modalities.vision }
    /// What lets the model hear; `nil` if it does not.
    public var audioInput: AudioInput? { modalities.audioInput }
    /// What lets the model speak; `nil` if it does not.
    public var speechOutput: SpeechOutput? { modalities.speechOutput }
    private let modalities: Modalities
    private let draft: DraftModel?
    /// All files that are read while it answers: its own, its adapters', and those of its projector, voice and draft model.
    public var files: [GGUFFile] { weights.files + modalities.files + (draft?.model.files ?? []) }
    let prompt: ChatPrompt
    let breakers: SequenceBreakers
    let constraints = ConstraintCache()
    let adapterDefaults: AdapterDefaults

    /// Opens a file and binds everything in it.
    ///
    /// - Returns: The model, and what shares it among generations.
    /// - Throws: `GGUFError`, `ModelError`, `TokenizerError`, `TemplateError`, or ``EngineError/contextDoesNotFit``.
    static func load(_ options: ModelOptions, _ compute: Compute) throws -> (model: LoadedModel, scheduler: Scheduler) {
        let file = try GGUFFile(
            path: options.path, useMmap: options.usesMmap, catchesBusErrors: options.catchesBusErrors)
        let result = Result { try bind(file, options, compute) }
        // If the file shrank while it was read, neither the result nor its error can be trusted: report that instead.
        try file.checkNothingLost()
        return try result.get()
    }

    private static func bind(
        _ file: GGUFFile, _ options: ModelOptions, _ compute: Compute
    ) throws -> (model: LoadedModel, scheduler: Scheduler) {
        if options.prefetches { file.prefetch() }
        // Before the tokenizer: for a file of an unsupported architecture, that is the error to report.
        let weights = try LanguageModel.load(
            file, adapters: options.openAdapters(), keyType: options.keyType, valueType: options.valueType)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let modalities = try Modalities.load(options, for: weights, tokenizer, compute)
        let prompt = try prompt(options, file, tokenizer, modalities)
        let draft = try draft(options, tokenizer)
        let contextSize = try weights.contextSize(options.contextSize, within: options.availableMemory, compute)
        var configuration = SchedulerConfiguration()
        configuration.stateBytes = weights.stateBytes(contextSize: contextSize, within: options.availableMemory)
        if let maxActive = options.maxActive { configuration.maxActive = maxActive }
        configuration.promptGap = options.promptGap
        configuration.sharedTime = options.sharedTime
        let scheduler = try Scheduler(
            model: weights, tokenizer: tokenizer, compute: compute, contextLength: contextSize, configuration,
            caching: options.caching, draft: draft)
        for warning in tokenizer.warnings { warn(file, "\(warning)") }
        let model = LoadedModel(
            weights: weights, tokenizer: tokenizer, contextLength: contextSize,
            recommendedSampling: try RecommendedSampling.of(file.metadata), compute: compute, modalities: modalities,
            draft: draft, prompt: prompt, breakers: SequenceBreakers(tokenizer),
            adapterDefaults: AdapterDefaults(weights.adapters.map(\.scale)))
        return (model, scheduler)
    }

    /// The draft model of another model.
    private static func draft(_ options: ModelOptions, _ target: Tokenizer) throws -> DraftModel? {
        guard let path = options.draftPath else { return nil }
        do {
            let file = try GGUFFile(
                path: path, useMmap: options.usesMmap, catchesBusErrors: options.catchesBusErrors)
            // Its own types of keys and values: those of the options may not suit its shape.
            let model = try LanguageModel.load(file)
            return try DraftModel(model, Tokenizer(metadata: file.metadata), for: target)
        } catch {
            throw EngineError.draftModel(path: path, error)
        }
    }

    /// The chat prompt. If messages will not be rendered, a broken template is ignored.
    private static func prompt(
        _ options: ModelOptions, _ file: GGUFFile, _ tokenizer: Tokenizer, _ modalities: Modalities
    ) throws -> ChatPrompt {
        do {
            return try ChatPrompt(
                source: options.chatTemplate, metadata: file.metadata, tokenizer: tokenizer,
                trustsControlTokens: options.trustsControlTokens, modalities: modalities)
        } catch let error as TemplateError where !options.rendersMessages {
            warn(file, "the chat template is invalid, so this model supports only text completion, not chat: \(error)")
            return ChatPrompt(withoutTemplate: tokenizer)
        }
    }

    private static func warn(_ file: GGUFFile, _ text: String) {
        Logger(label: "leap.model").warning("'\(file.path)': \(text)")
    }
}

extension LoadedModel {
    /// The source of the chat template; `nil` if the model was not trained to chat.
    public var chatTemplate: String? { prompt.source }

    /// How tokens are drawn with some changes of what the model's makers recommend.
    public func sampling(_ overrides: SamplingOverrides) -> SamplerConfiguration {
        overrides.applied(to: recommendedSampling, breakers: breakers.tokens)
    }

    /// What the model writes around thoughts and calls, as its chat template shows.
    public var dialect: Dialect { prompt.dialect }

    /// Whether the first of some tokens only marks where a text begins.
    public func hasBeginToken(_ tokens: [Token]) -> Bool { prompt.hasBeginToken(tokens) }
}
