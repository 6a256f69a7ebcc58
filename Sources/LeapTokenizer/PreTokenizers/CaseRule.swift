/// The pattern of GPT-4o, which cuts words between lower case and upper case, and Mistral's form of it. With
/// `U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]` and `L = [\p{Ll}\p{Lm}\p{Lo}\p{M}]`:
///
///     [^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
///         |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
///
/// Tekken splits digits one by one, and its words do not include contractions.
///
/// Source: the `tokenizer.json` files of microsoft/Phi-4-mini-instruct and mistralai/Mistral-Nemo-Instruct-2407.
struct CaseRule: SplitRule {
    /// The most digits in one piece.
    let digits: Int
    /// Whether a contraction after a word belongs to it.
    let takesContractions: Bool

    static let gpt4o = CaseRule(digits: 3, takesContractions: true)
    static let tekken = CaseRule(digits: 1, takesContractions: false)

    /// `[\p{Lm}\p{Lo}\p{M}]`, which is in both `U` and `L`.
    private static let either: ScalarClass = [.caseless, .mark]
    private static let upper: ScalarClass = [.upperCase, .caseless, .mark]
    private static let lower: ScalarClass = [.lowerCase, .caseless, .mark]

    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        let scanner = PieceScanner(text, end: piece.upperBound)
        var position = piece.lowerBound
        while position < piece.upperBound {
            position =
                endOfWord(scanner, from: position)
                ?? scanner.endOfNumber(from: position, digits: digits)
                ?? endOfPunctuation(scanner, from: position)
                ?? scanner.endOfLines(from: position)
                ?? scanner.endOfWhitespace(from: position)
            ends.append(position)
        }
    }

    /// The first two alternatives. Each is tried with the scalar before the word first.
    @inline(__always)
    private func endOfWord(_ scanner: PieceScanner, from position: Int) -> Int? {
        let takesFirst = !scanner.kind(at: position).isAny(of: [.upperCase, .lowerCase, .caseless, .number, .lineBreak])
        let next = position + 1
        guard
            let end = (takesFirst ? endOfMixedCase(scanner, from: next) : nil)
                ?? endOfMixedCase(scanner, from: position)
                ?? (takesFirst ? endOfUpperCase(scanner, from: next) : nil)
                ?? endOfUpperCase(scanner, from: position)
        else { return nil }
        guard takesContractions else { return end }
        return scanner.endOfContraction(from: end, ignoringCase: true) ?? end
    }

    /// `U*L+`: `U*` goes as far as it can, and gives back what `L+` needs.
    @inline(__always)
    private func endOfMixedCase(_ scanner: PieceScanner, from position: Int) -> Int? {
        var end = scanner.endOfRun(of: Self.upper, from: position)
        if scanner.kind(at: end).isAny(of: .lowerCase) { return scanner.endOfRun(of: Self.lower, from: end) }
        while end > position, !scanner.kind(at: end - 1).isAny(of: Self.either) { end -= 1 }
        return end > position ? end : nil
    }

    /// `U+L*`, where `U*L+` does not match, and so nothing of `L` follows.
    @inline(__always)
    private func endOfUpperCase(_ scanner: PieceScanner, from position: Int) -> Int? {
        let end = scanner.endOfRun(of: Self.upper, from: position)
        return end > position ? end : nil
    }

    /// ` ?[^\s\p{L}\p{N}]+[\r\n/]*`
    @inline(__always)
    private func endOfPunctuation(_ scanner: PieceScanner, from position: Int) -> Int? {
        let body = scanner.has(" ", at: position) ? position + 1 : position
        var end = scanner.endOfRun(of: [.mark, .punctuation, .symbol, .other], from: body)
        guard end > body else { return nil }
        while scanner.kind(at: end).isAny(of: .lineBreak) || scanner.has("/", at: end) { end += 1 }
        return end
    }
}
