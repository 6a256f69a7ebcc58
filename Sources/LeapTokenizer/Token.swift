/// A token id: an index into a model's vocabulary.
public typealias Token = Int32

/// What a vocabulary entry is for. Raw values are those of `tokenizer.ggml.token_type`.
///
/// Source: GGUF specification, "Tokenizer", and `enum llama_token_type`.
public enum TokenType: UInt8, Sendable, Hashable {
    /// No statement; also what unknown type numbers become. Encodes like a normal token, renders as nothing.
    case undefined = 0
    /// A piece of ordinary text.
    case normal = 1
    /// Stands for text that the vocabulary cannot spell.
    case unknown = 2
    /// Steers the model (`<|im_end|>`, `<s>`); never made from text unless special tokens are asked for.
    case control = 3
    /// Added by the model's author; found in text before anything else, whether or not special tokens are asked for.
    case userDefined = 4
    /// Reserved; renders as nothing.
    case unused = 5
    /// One raw byte, spelled `<0x00>` … `<0xFF>`.
    case byte = 6
}
