import ArgumentParser
package import LeapBlocks

/// How keys and values are stored, with llama.cpp's flags.
package struct CacheTypeFlags: ParsableArguments {
    @Option(
        name: [.customLong("ctk", withSingleDash: true), .customLong("cache-type-k")],
        help: ArgumentHelp(
            "Type of the KV cache's keys: f16, bf16, f32 or q8_0 (default: f16; f32 for a model in F32).",
            valueName: "type"))
    private var keyArgument: CacheTypeArgument?

    @Option(
        name: [.customLong("ctv", withSingleDash: true), .customLong("cache-type-v")],
        help: ArgumentHelp("Type of the KV cache's values; same choices.", valueName: "type"))
    private var valueArgument: CacheTypeArgument?

    /// Flags with their default values.
    package init() {}

    /// The element type of cached keys; `nil` if not given.
    package var keys: KeyValueType? { keyArgument?.type }

    /// The element type of cached values; `nil` if not given.
    package var values: KeyValueType? { valueArgument?.type }
}

/// A type of keys or values as the user types it.
private struct CacheTypeArgument: ExpressibleByArgument {
    let type: KeyValueType

    init?(argument: String) {
        guard let type = KeyValueType(name: argument) else { return nil }
        self.type = type
    }

    static var allValueStrings: [String] { KeyValueType.allCases.map { "\($0)" } }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
