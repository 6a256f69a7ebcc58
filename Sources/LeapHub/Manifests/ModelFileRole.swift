/// The role of a file in a model.
public enum ModelFileRole: String, Hashable, Sendable, CaseIterable {
    /// The weights of the language model.
    case model
    /// The projector, which converts images or audio to input embeddings of the language model.
    case multimodalProjector = "multimodal_projector"
    /// The audio decoder, which converts the language model's output to audio codes.
    case audioDecoder = "audio_decoder"
    /// The audio tokenizer, which converts audio codes to audio.
    case audioTokenizer = "audio_tokenizer"

    /// Determines the role of a file by its name; `nil` for files that do not belong to a model.
    ///
    /// The vendor uses `mmproj-…`, `vocoder-…` or `audiodecoder-…`, and `tokenizer-…`; any other name that contains
    /// both "audio" and "decoder" is an audio decoder too.
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
