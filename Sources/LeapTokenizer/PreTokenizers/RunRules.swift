/// `[set]+`, or `\s?[set]+` with `takesSpace`: every run of members is a piece.
struct RunRule: SplitRule {
    let set: ScalarSet
    /// Whether one whitespace scalar before a run belongs to it.
    var takesSpace = false

    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        var gapStart = piece.lowerBound
        var position = piece.lowerBound
        while position < piece.upperBound {
            let body = takesSpace && text.classes[position].isAny(of: .whitespace) ? position + 1 : position
            var end = body
            while end < piece.upperBound, set.contains(text, at: end) { end += 1 }
            if end == body {
                position += 1
                continue
            }
            if position > gapStart { ends.append(position) }
            ends.append(end)
            gapStart = end
            position = end
        }
        if gapStart < piece.upperBound { ends.append(piece.upperBound) }
    }
}

/// `[set]`: every member is a separate piece.
struct SingleRule: SplitRule {
    let set: ScalarSet

    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        var gapStart = piece.lowerBound
        for position in piece where set.contains(text, at: position) {
            if position > gapStart { ends.append(position) }
            ends.append(position + 1)
            gapStart = position + 1
        }
        if gapStart < piece.upperBound { ends.append(piece.upperBound) }
    }
}

/// `[0-9][0-9][0-9]`: three ASCII digits are a piece.
struct DigitTripleRule: SplitRule {
    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        var gapStart = piece.lowerBound
        var digits = 0
        for position in piece {
            digits = (0x30...0x39).contains(text.scalars[position]) ? digits + 1 : 0
            guard digits == 3 else { continue }
            if position - 2 > gapStart { ends.append(position - 2) }
            ends.append(position + 1)
            gapStart = position + 1
            digits = 0
        }
        if gapStart < piece.upperBound { ends.append(piece.upperBound) }
    }
}

/// `\s+$`: the whitespace that ends the piece is a separate piece.
struct TrailingWhitespaceRule: SplitRule {
    func split(_ piece: Range<Int>, of text: ScalarText, into ends: inout [Int]) {
        var start = piece.upperBound
        while start > piece.lowerBound, text.classes[start - 1].isAny(of: .whitespace) { start -= 1 }
        if start > piece.lowerBound { ends.append(start) }
        if start < piece.upperBound { ends.append(piece.upperBound) }
    }
}
