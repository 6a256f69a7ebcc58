import ArgumentParser
import Foundation
import LeapBlocks
import LeapJSON
import LeapEngine
import LeapGeneration
import LeapToolSupport

/// How an answer is generated, with llama.cpp's flags.
struct GenerationFlags: ParsableArguments {
    @Option(
        name: [.customShort("n"), .customLong("predict"), .customLong("n-predict")], parsing: .unconditional,
        help: "Maximum number of tokens to generate (-1: no limit).")
    var predict = -1

    @Option(
        name: [.customLong("temp"), .customLong("temperature")], parsing: .unconditional,
        help: "Temperature; 0 takes the most likely token (default: the model's).")
    var temp: Float?

    @Option(parsing: .unconditional, help: "Keep the K most likely tokens; 0: all (default: the model's).")
    var topK: Int?

    @Option(
        parsing: .unconditional,
        help: "Keep the most likely tokens up to this cumulative probability; 1: all (default: the model's).")
    var topP: Float?

    @Option(
        parsing: .unconditional,
        help: "Keep tokens with at least this probability relative to the most likely; 0: all (default: the model's).")
    var minP: Float?

    @Option(parsing: .unconditional, help: "Divide the logits of recent tokens by this; 1: off (default: the model's).")
    var repeatPenalty: Float?

    @Option(
        name: [.short, .long], parsing: .unconditional,
        help: "Random seed (default: -1, a different one every time).")
    var seed: Seed?

    @Option(
        help: """
            What to do when the conversation exceeds the context: fail, or drop-oldest to drop its oldest turns \
            (default: drop-oldest in a conversation, otherwise fail).
            """)
    var contextPolicy: ContextPolicyName?

    @Flag(name: .customLong("no-context-shift"), help: .hidden)
    private var keepsContext = false

    @Flag(help: "Turn off speculative decoding, which predicts repeated text and verifies several tokens per pass.")
    var noSpeculation = false

    func validate() throws {
        if predict < -1 { throw ValidationError("-n must be -1 or more, not \(predict).") }
        try SettingRange.temperature.check("--temp", temp)
        try SettingRange.topP.check("--top-p", topP)
        try SettingRange.minP.check("--min-p", minP)
        try SettingRange.repeatPenalty.check("--repeat-penalty", repeatPenalty)
        if let topK, topK < 0 { throw ValidationError("--top-k must be 0 or more, not \(topK).") }
    }

    /// Applies the flags to a generation.
    ///
    /// - Parameter isConversation: Whether more answers follow, which a full context must not end.
    func apply(to options: inout AnswerOptions, isConversation: Bool) {
        options.sampling.temperature = temp
        options.sampling.topP = topP
        options.sampling.topK = topK
        options.sampling.minP = minP
        options.sampling.repetitionPenalty = repeatPenalty
        options.seed = seed?.value
        if predict >= 0 { options.maxTokens = predict }
        options.overflow = (contextPolicy ?? (isConversation && !keepsContext ? .dropOldest : .fail)).overflow
        options.speculates = !noSpeculation
    }

    /// The given flags of the steps that choose a token.
    var givenSamplers: [GivenSampler] {
        [
            GivenSampler("--temp", .temperature, temp, off: 1), GivenSampler("--top-k", .topK, topK, off: 0),
            GivenSampler("--top-p", .topP, topP, off: 1), GivenSampler("--min-p", .minP, minP, off: 0),
            GivenSampler("--repeat-penalty", .penalties, repeatPenalty, off: 1),
        ].compactMap(\.self)
    }
}

/// A context policy by its name.
enum ContextPolicyName: String, ExpressibleByArgument, CaseIterable {
    case fail
    case dropOldest = "drop-oldest"

    /// The engine's value for it.
    var overflow: AnswerOptions.ContextOverflow {
        switch self {
        case .fail: .fails
        case .dropOldest: .dropsOldestTurns
        }
    }
}

/// A seed as the user types it: a number, or -1 for a different one every time.
struct Seed: ExpressibleByArgument {
    let value: UInt64?

    init?(argument: String) {
        value = UInt64(argument)
        if value == nil && argument != "-1" { return nil }
    }
}

/// How the model is loaded.
struct EngineFlags: ParsableArguments {
    @Option(
        name: [.customShort("c"), .customLong("ctx-size")], parsing: .unconditional,
        help: "Context size in tokens (0: the model's).")
    var contextSize = 0

    @Option(
        name: [
            .customLong("md", withSingleDash: true), .customLong("draft-model"), .customLong("model-draft"),
            .customLong("spec-draft-model"),
        ],
        help: "A draft model for speculative decoding, with the same vocabulary; answers do not change.",
        completion: .file())
    var draftModel: String?

    @Flag(help: "Read the whole file into memory instead of mapping it.")
    var noMmap = false

    @Flag(help: "Read the whole file with several threads when loading, unless it is already in memory.")
    var prefetch = false

    @Option(help: "A folder in which the prompt cache is kept for later runs.", completion: .directory)
    var cacheDir: String?

    @Option(
        help:
            "Size limit of this folder, such as 500M; the least recently used prompts are deleted first (default: 10G)."
    )
    var cacheLimit: ByteSize?

    @Flag(help: "Do not cache prompts.")
    var noCache = false

    @Flag(
        help: """
            Parse control tokens, such as <|im_end|>, in the text of messages, for prompts rendered by hand.
            """)
    var trustSpecial = false

    @OptionGroup var cacheTypes: CacheTypeFlags
    @OptionGroup var vision: VisionFlags
    @OptionGroup var adapters: AdapterFlags
    @OptionGroup var compute: ComputeFlags

    func validate() throws {
        if noCache && cacheDir != nil { throw ValidationError("--no-cache cannot be combined with --cache-dir.") }
        if cacheLimit != nil && cacheDir == nil {
            throw ValidationError("--cache-limit requires --cache-dir.")
        }
        if prefetch && noMmap { throw ValidationError("--no-mmap always reads the whole file: omit --prefetch.") }
        if contextSize < 0 || contextSize > Int(UInt32.max) {
            throw ValidationError("--ctx-size must be from 0 to \(UInt32.max), not \(contextSize).")
        }
    }

    /// The options of the load.
    ///
    /// - Parameter rendersMessages: Whether the chat template must be valid.
    func options(path: String, template: String?, rendersMessages: Bool) -> ModelOptions {
        var options = ModelOptions(path: path)
        options.contextSize = contextSize == 0 ? nil : contextSize
        options.chatTemplate = template
        options.usesMmap = !noMmap
        options.catchesBusErrors = true
        options.prefetches = prefetch
        options.trustsControlTokens = trustSpecial
        options.keyType = cacheTypes.keys
        options.valueType = cacheTypes.values
        options.rendersMessages = rendersMessages
        options.draftPath = draftModel
        options.caching = caching
        vision.apply(to: &options)
        adapters.apply(to: &options)
        return options
    }

    private var caching: PrefixCacheConfiguration {
        if noCache { return PrefixCacheConfiguration(memory: .none) }
        typealias Disk = PrefixCacheConfiguration.Disk
        return PrefixCacheConfiguration(
            disk: cacheDir.map {
                Disk(path: $0, maxBytes: cacheLimit.map { Int(clamping: $0.bytes) } ?? Disk.defaultMaxBytes)
            })
    }
}
