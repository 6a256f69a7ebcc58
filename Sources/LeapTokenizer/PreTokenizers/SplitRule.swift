/// One step of a pre-tokenizer: cuts a piece of text into smaller pieces.
///
/// The published form of a step is a regular expression. What it matches become pieces, and so do the gaps between
/// matches; nothing is lost.
protocol SplitRule: Sendable {
    /// Appends the end of every piece that `piece` falls into, in order, the last being `piece.upperBound`.
    ///
    /// Look-ahead ends at the end of `piece`, as if the text did. Takes time linear in its length.
    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int])
}

/// A rule's view of the text: one piece of it, and nothing beyond its end.
struct PieceScanner {
    private let text: ScalarText
    /// The end of the piece.
    let end: Int

    init(_ text: ScalarText, end: Int) {
        self.text = text
        self.end = end
    }

    /// The class of the scalar at `position`; empty past the end.
    @inline(__always)
    func kind(at position: Int) -> ScalarClass { position < end ? text.classes[position] : [] }

    /// Whether the scalar at `position` is `scalar`.
    @inline(__always)
    func has(_ scalar: Unicode.Scalar, at position: Int) -> Bool {
        position < end && text.scalars[position] == scalar.value
    }

    /// The end of `[set]*` from `position`.
    @inline(__always)
    func endOfRun(of set: ScalarClass, from position: Int) -> Int {
        var position = position
        while kind(at: position).isAny(of: set) { position += 1 }
        return position
    }

    /// The end of `\p{N}{1,digits}` from `position`, or `nil`.
    @inline(__always)
    func endOfNumber(from position: Int, digits: Int) -> Int? {
        var end = position
        while end - position < digits, kind(at: end).isAny(of: .number) { end += 1 }
        return end > position ? end : nil
    }

    /// The end of `\s*[\r\n]+` from `position`: of the whitespace up to the last line break of its run, or `nil`.
    @inline(__always)
    func endOfLines(from position: Int) -> Int? {
        var end = endOfRun(of: .whitespace, from: position)
        while end > position, !kind(at: end - 1).isAny(of: .lineBreak) { end -= 1 }
        return end > position ? end : nil
    }

    /// `\s+(?!\S)|\s+` at a whitespace scalar: a run before other text leaves its last scalar to what follows.
    func endOfWhitespace(from position: Int) -> Int {
        let runEnd = endOfRun(of: .whitespace, from: position)
        return runEnd == end || runEnd - position == 1 ? runEnd : runEnd - 1
    }

    /// The end of `'s|'t|'re|'ve|'m|'ll|'d` at `position`, in lower case or in either; `nil` if there is none.
    func endOfContraction(from position: Int, ignoringCase: Bool) -> Int? {
        guard has("'", at: position) else { return nil }
        switch asciiLetter(at: position + 1, ignoringCase) {
        case "s", "t", "m", "d": return position + 2
        case "r", "v": return asciiLetter(at: position + 2, ignoringCase) == "e" ? position + 3 : nil
        case "l": return asciiLetter(at: position + 2, ignoringCase) == "l" ? position + 3 : nil
        default: return nil
        }
    }

    private func asciiLetter(at position: Int, _ lowercasing: Bool) -> Unicode.Scalar? {
        guard position < end, text.scalars[position] < 0x80 else { return nil }
        let value = UInt8(text.scalars[position])
        let isCapital = (0x41...0x5A).contains(value)
        return Unicode.Scalar(isCapital && lowercasing ? value | 0x20 : value)
    }
}
