import ArgumentParser
import LeapModels

/// LoRA adapters, with llama.cpp's flags.
package struct AdapterFlags: ParsableArguments {
    @Option(
        name: [.customLong("lora"), .customLong("lora-scaled")],
        help: ArgumentHelp(
            "A LoRA adapter (GGUF) and its scale, -1000 to 1000 (default: 1); separate several with commas, or repeat the "
                + "flag.",
            valueName: "file[:scale]"), completion: .file())
    private var lora: [AdapterList] = []

    /// Flags with their default values.
    package init() {}

    /// The adapters, in the order in which they were given.
    package var all: [NamedAdapter] { lora.flatMap(\.adapters) }
}

/// An adapter's file and its scale.
package struct NamedAdapter: Sendable, Equatable {
    /// The file.
    package let path: String
    /// A factor in ``Adapter/scales``.
    package let scale: Float
}

/// The adapters of one flag: `FILE[:SCALE]`, separated by commas.
package struct AdapterList: ExpressibleByArgument, Equatable {
    package let adapters: [NamedAdapter]

    package init?(argument: String) {
        var adapters: [NamedAdapter] = []
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let adapter = Self.adapter(part) else { return nil }
            adapters.append(adapter)
        }
        self.adapters = adapters
    }

    /// The part after the last colon is a scale if it is a number.
    private static func adapter(_ text: Substring) -> NamedAdapter? {
        guard !text.isEmpty else { return nil }
        guard let colon = text.lastIndex(of: ":"), let scale = Float(text[text.index(after: colon)...]) else {
            return NamedAdapter(path: String(text), scale: 1)
        }
        guard Adapter.scales.contains(scale), colon > text.startIndex else { return nil }
        return NamedAdapter(path: String(text[..<colon]), scale: scale)
    }
}
