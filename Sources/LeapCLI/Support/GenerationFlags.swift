import ArgumentParser
import Foundation
import LeapBlocks
import LeapJSON
import LeapEngine
import LeapGeneration
import LeapToolSupport

/// How an answer is generated besides ``CommonGenerationFlags``, with llama.cpp's flags.
struct GenerationFlags: ParsableArguments {
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

    /// Applies the flags to a generation.
    ///
    /// - Parameter isConversation: Whether more answers follow, which a full context must not end.
    func apply(to options: inout AnswerOptions, isConversation: Bool) {
        options.overflow = (contextPolicy ?? (isConversation && !keepsContext ? .dropOldest : .fail)).overflow
        options.speculates = !noSpeculation
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
    /// - Parameters:
    ///   - rendersMessages: Whether the chat template must be valid.
    ///   - cacheTypes: The command's other flags for a load. They are groups of the command, because a group within this
    ///     one would make every debug build start slowly: ArgumentParser checks a group again for each check of the
    ///     group around it.
    func options(
        path: String, template: String?, rendersMessages: Bool, _ cacheTypes: CacheTypeFlags, _ vision: VisionFlags,
        _ adapters: AdapterFlags
    ) -> ModelOptions {
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
