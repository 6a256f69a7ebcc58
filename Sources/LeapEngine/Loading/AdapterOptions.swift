import LeapGGUF
import LeapModels

/// A LoRA adapter that a model is loaded with.
public struct AdapterOptions: Sendable, Hashable {
    /// The GGUF file.
    public var path: String
    /// How much it weighs in requests that do not say: 1 as it was trained, 0 not at all.
    public var scale: Float

    /// Names an adapter.
    public init(path: String, scale: Float = 1) {
        self.path = path
        self.scale = scale
    }
}

extension ModelOptions {
    /// Opens the adapters.
    ///
    /// - Throws: `GGUFError` for a file that is not GGUF, or `ModelError` for one that is not an adapter.
    func openAdapters() throws -> [Adapter] {
        try adapters.map { adapter in
            let file = try GGUFFile(path: adapter.path, useMmap: usesMmap, catchesBusErrors: catchesBusErrors)
            return Adapter(try LoRAFile(file), scale: adapter.scale)
        }
    }
}
