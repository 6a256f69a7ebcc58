/// Turns plain text, in which special tokens were found before, into tokens.
protocol TextEncoder: Sendable {
    /// Appends the tokens of `utf8[range]`, which must be well-formed UTF-8 and not empty.
    ///
    /// Memory beside the tokens is bounded by the longest piece that is merged as a whole, however long the text.
    ///
    /// - Parameter isStart: whether the stretch is the beginning of the text or follows a special token.
    func encode(_ utf8: [UInt8], in range: Range<Int>, isStart: Bool, into tokens: inout TokenList)

    /// The fewest tokens that a text can have, or a part of it that is made ready for merging; 0 where nothing can be told.
    func fewestTokens(of text: ArraySlice<UInt8>) -> Int

    /// Whether every byte of any text shows in its tokens; not so where the vocabulary lacks one.
    var spellsEveryByte: Bool { get }

    /// The bytes that a token of type `normal` stands for, from its text in the vocabulary.
    func bytes(ofText text: ArraySlice<UInt8>) -> [UInt8]
}
