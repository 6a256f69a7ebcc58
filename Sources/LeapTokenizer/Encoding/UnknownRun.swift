/// Appends tokens, and one unknown token for a run of characters that have none.
///
/// Source: google/sentencepiece, `sentencepiece_processor.cc`, `PopulateSentencePieceText`.
struct UnknownRun {
    /// The unknown token; if `nil`, unknown characters get no token.
    private let unknown: Token?
    private var isInside = false

    init(of unknown: Token?) { self.unknown = unknown }

    /// Appends a token, which ends the run.
    @inline(__always)
    mutating func append(_ token: Token, to tokens: inout TokenList) {
        tokens.append(token)
        isInside = false
    }

    /// Appends the unknown token, unless the character before was unknown too.
    mutating func appendUnknown(to tokens: inout TokenList) {
        if !isInside, let unknown { tokens.append(unknown) }
        isInside = true
    }
}
