/// A LoRA adapter to load with a model: a GGUF file as written by llama.cpp's `convert_lora_to_gguf.py`. An extension
/// of leap-swift.
public struct LoRAAdapter: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// The scale of the adapter: 1 applies it as trained, 0 not at all.
    public var scale: Float

    /// Creates an adapter.
    public init(path: String, scale: Float = 1) {
        self.path = path
        self.scale = scale
    }
}
