/// The pattern of Llama 3 and of the families that changed a detail of it:
///
///     (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*
///         |\s*[\r\n]+|\s+(?!\S)|\s+
///
/// - Qwen 2 takes digits one by one: `\p{N}` for `\p{N}{1,3}`.
/// - Qwen 3.5 does so too and counts combining marks among the letters: `[\p{L}\p{M}]+` for `\p{L}+`, and
///   ` ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*` for its counterpart.
///
/// Source: the `tokenizer.json` files of the models.
struct Llama3Rule: SplitRule {
    /// The most digits in one piece.
    let digits: Int
    /// What words are made of: `\p{L}` or `[\p{L}\p{M}]`.
    let letters: ScalarClass

    static let llama3 = Llama3Rule(digits: 3, letters: .letter)
    static let qwen2 = Llama3Rule(digits: 1, letters: .letter)
    static let qwen35 = Llama3Rule(digits: 1, letters: [.letter, .mark])

    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        let scanner = PieceScanner(text, end: piece.upperBound)
        var position = piece.lowerBound
        while position < piece.upperBound {
            position =
                scanner.endOfContraction(from: position, ignoringCase: true)
                ?? endOfWord(scanner, from: position)
                ?? scanner.endOfNumber(from: position, digits: digits)
                ?? endOfPunctuation(scanner, from: position)
                ?? scanner.endOfLines(from: position)
                ?? scanner.endOfWhitespace(from: position)
            ends.append(position)
        }
    }

    /// `[^\r\n\p{L}\p{N}]?\p{L}+`
    @inline(__always)
    private func endOfWord(_ scanner: PieceScanner, from position: Int) -> Int? {
        let first = scanner.kind(at: position)
        let body = first.isAny(of: letters.union([.lineBreak, .number])) ? position : position + 1
        let end = scanner.endOfRun(of: letters, from: body)
        return end > body ? end : nil
    }

    /// ` ?[^\s\p{L}\p{N}]+[\r\n]*`
    @inline(__always)
    private func endOfPunctuation(_ scanner: PieceScanner, from position: Int) -> Int? {
        let others = ScalarClass([.mark, .punctuation, .symbol, .other]).subtracting(letters)
        let body = scanner.has(" ", at: position) ? position + 1 : position
        let end = scanner.endOfRun(of: others, from: body)
        return end > body ? scanner.endOfRun(of: .lineBreak, from: end) : nil
    }
}
