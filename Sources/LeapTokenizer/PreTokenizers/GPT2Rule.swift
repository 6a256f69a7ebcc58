/// The pattern of GPT-2, under which most byte-level vocabularies were made:
///
///     's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
///
/// Source: openai/gpt-2, `encoder.py`.
struct GPT2Rule: SplitRule {
    /// `[^\s\p{L}\p{N}]`
    private static let others: ScalarClass = [.mark, .punctuation, .symbol, .other]

    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        let scanner = PieceScanner(text, end: piece.upperBound)
        var position = piece.lowerBound
        while position < piece.upperBound {
            position = Self.endOfMatch(scanner, from: position)
            ends.append(position)
        }
    }

    private static func endOfMatch(_ scanner: PieceScanner, from position: Int) -> Int {
        if let end = scanner.endOfContraction(from: position, ignoringCase: false) { return end }
        let body = scanner.has(" ", at: position) ? position + 1 : position
        for set in [ScalarClass.letter, .number, others] where scanner.kind(at: body).isAny(of: set) {
            return scanner.endOfRun(of: set, from: body)
        }
        return scanner.endOfWhitespace(from: position)
    }
}
