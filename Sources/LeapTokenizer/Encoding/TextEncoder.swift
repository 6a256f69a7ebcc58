/// Turns plain text, in which special tokens were found before, into tokens.
protocol TextEncoder: Sendable {
    /// Appends the tokens of `utf8[range]`, which must be well-formed UTF-8 and not empty.
    ///
    /// Memory in addition to the tokens is bounded by the longest piece that is merged as a whole, not by the text's
    /// length.
    ///
    /// - Parameter isStart: whether the stretch is the beginning of the text or follows a special token.
    func encode(_ utf8: [UInt8], in range: Range<Int>, isStart: Bool, into tokens: inout TokenList)

    /// A lower bound on the number of tokens of a text, or of a stretch that is about to be merged; 0 if there is none.
    func fewestTokens(of text: ArraySlice<UInt8>) -> Int

    /// Whether every byte of a text contributes to its tokens. False if the vocabulary lacks a token for some byte.
    var spellsEveryByte: Bool { get }

    /// The bytes that a token of type `normal` stands for, from its text in the vocabulary.
    func bytes(ofText text: ArraySlice<UInt8>) -> [UInt8]
}
