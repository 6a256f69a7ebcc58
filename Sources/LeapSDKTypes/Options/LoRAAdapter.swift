/// A LoRA adapter that a model is loaded with: a GGUF file, as llama.cpp's `convert_lora_to_gguf.py` writes it. An extension of
/// ours.
public struct LoRAAdapter: Sendable, Hashable {
    /// The path of the file.
    public var path: String
    /// How much the adapter weighs: 1 as it was trained, 0 not at all.
    public var scale: Float

    /// Names an adapter.
    public init(path: String, scale: Float = 1) {
        self.path = path
        self.scale = scale
    }
}
