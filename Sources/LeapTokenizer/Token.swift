/// A token id: an index into a model's vocabulary.
public typealias Token = Int32

/// The purpose of a vocabulary entry. Raw values are those of `tokenizer.ggml.token_type`.
///
/// Source: GGUF specification, "Tokenizer", and `enum llama_token_type`.
public enum TokenType: UInt8, Sendable, Hashable {
    /// Unspecified; also used for unknown type numbers. Encoded like a normal token, but decoded to no text.
    case undefined = 0
    /// A piece of ordinary text.
    case normal = 1
    /// Represents text that the vocabulary cannot express.
    case unknown = 2
    /// Controls the model (`<|im_end|>`, `<s>`). Text is encoded to such a token only if special tokens are parsed.
    case control = 3
    /// Added by the model's author. Matched in text before anything else, whether or not special tokens are parsed.
    case userDefined = 4
    /// Reserved; decoded to no text.
    case unused = 5
    /// One raw byte, spelled `<0x00>` … `<0xFF>`.
    case byte = 6
}
