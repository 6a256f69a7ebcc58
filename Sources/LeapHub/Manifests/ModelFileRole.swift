/// What a file is for a model.
public enum ModelFileRole: String, Hashable, Sendable, CaseIterable {
    /// The weights of the language model.
    case model
    /// What turns pictures, or sound, into rows of the language model.
    case multimodalProjector = "multimodal_projector"
    /// What turns the language model's output into codes of sound.
    case audioDecoder = "audio_decoder"
    /// What turns codes of sound into sound.
    case audioTokenizer = "audio_tokenizer"

    /// What a file's name says that it is; nil for files that belong to no model.
    ///
    /// The vendor writes `mmproj-…`, `vocoder-…` or `audiodecoder-…`, and `tokenizer-…`; anything else with both "audio"
    /// and "decoder" in its name is a decoder too.
    public init?(fileName: String) {
        let name = fileName.lowercased()
        let isWeights = name.hasSuffix(".gguf") || name.hasSuffix(".bin")
        if name.hasPrefix("mmproj-"), isWeights {
            self = .multimodalProjector
        } else if name.hasPrefix("tokenizer-"), isWeights || name.hasSuffix(".safetensors") {
            self = .audioTokenizer
        } else if isWeights, name.hasPrefix("vocoder-") || name.contains("audio") && name.contains("decoder") {
            self = .audioDecoder
        } else if name.hasSuffix(".gguf") {
            self = .model
        } else {
            return nil
        }
    }
}
