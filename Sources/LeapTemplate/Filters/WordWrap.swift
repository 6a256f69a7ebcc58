/// Breaks one paragraph into lines, as Python's `textwrap` does.
struct WordWrap {
    let width: Int
    let breaksLongWords: Bool
    let breaksOnHyphens: Bool

    private typealias Chunk = ArraySlice<Unicode.Scalar>

    /// The lines of `text`, without whitespace at their ends.
    func wrap(_ text: String) -> [String] {
        var chunks = chunks(of: Array(text.unicodeScalars))[...]
        var lines: [String] = []
        while !chunks.isEmpty {
            if !lines.isEmpty, isBlank(chunks[chunks.startIndex]) { chunks.removeFirst() }
            var line = takeLine(&chunks)
            if let last = line.last, isBlank(last) { line.removeLast() }
            if !line.isEmpty { lines.append(String(line.joined())) }
        }
        return lines
    }

    private func isBlank(_ chunk: Chunk) -> Bool { chunk.allSatisfy(Self.isBlank) }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || 0x09...0x0D ~= scalar.value
    }

    /// As many chunks as fit on a line, or a part of the next chunk if it alone is too long.
    private func takeLine(_ chunks: inout ArraySlice<Chunk>) -> [Chunk] {
        var line: [Chunk] = []
        var length = 0
        while let chunk = chunks.first, length + chunk.count <= width {
            line.append(chunks.removeFirst())
            length += chunk.count
        }
        guard let next = chunks.first, next.count > width else { return line }
        if breaksLongWords {
            let cut = cut(next, room: width - length)
            line.append(next[..<cut])
            chunks[chunks.startIndex] = next[cut...]
        } else if line.isEmpty {
            line.append(chunks.removeFirst())
        }
        return line
    }

    /// Where to break a word that is longer than a line, preferably after a hyphen.
    private func cut(_ word: Chunk, room: Int) -> Int {
        let end = word.startIndex + room
        guard breaksOnHyphens, word.count > room else { return end }
        guard let hyphen = word[..<end].lastIndex(of: "-"), hyphen > word.startIndex else { return end }
        return word[..<hyphen].contains { $0 != "-" } ? hyphen + 1 : end
    }

    /// Words and the whitespace between them; words are broken after hyphens between letters.
    private func chunks(of text: [Unicode.Scalar]) -> [Chunk] {
        var chunks: [Chunk] = []
        var start = 0
        while start < text.count {
            let isBlank = Self.isBlank(text[start])
            let end = text[start...].firstIndex { Self.isBlank($0) != isBlank } ?? text.count
            if isBlank || !breaksOnHyphens {
                chunks.append(text[start..<end])
            } else {
                chunks += parts(of: text[start..<end])
            }
            start = end
        }
        return chunks
    }

    /// `long-winded` is `long-` and `winded`; a dash of two or more hyphens stands alone.
    private func parts(of word: Chunk) -> [Chunk] {
        var parts: [Chunk] = []
        var start = word.startIndex
        var index = start
        while index < word.endIndex {
            guard word[index] == "-" else {
                index += 1
                continue
            }
            let end = word[index...].firstIndex { $0 != "-" } ?? word.endIndex
            if end - index >= 2, isDash(index, end, in: word) {
                if index > start { parts.append(word[start..<index]) }
                parts.append(word[index..<end])
                start = end
            } else if end - index == 1, allowsBreak(after: index, in: word) {
                parts.append(word[start..<end])
                start = end
            }
            index = end
        }
        if start < word.endIndex { parts.append(word[start...]) }
        return parts
    }

    /// Hyphens are a dash between a word or its punctuation and another word.
    private func isDash(_ start: Int, _ end: Int, in word: Chunk) -> Bool {
        start > word.startIndex && Self.isWordOrPunctuation(word[start - 1])
            && end < word.endIndex && word[end].isWordCharacter
    }

    private static func isWordOrPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isWordCharacter || "!\"'&.,?".unicodeScalars.contains(scalar)
    }

    /// A line may end after a hyphen that follows two letters, or a letter and a hyphenated letter, and precedes two
    /// letters.
    private func allowsBreak(after hyphen: Int, in word: Chunk) -> Bool {
        func isLetter(_ index: Int) -> Bool {
            word.indices.contains(index) && word[index].isWordCharacter && !word[index].isDecimal
        }
        func isHyphen(_ index: Int) -> Bool { word.indices.contains(index) && word[index] == "-" }
        let isBehindHyphenated =
            isLetter(hyphen - 3) && isHyphen(hyphen - 2) && Self.isWordOrPunctuation(word[hyphen - 1])
        let isBehindLetters = isLetter(hyphen - 2) && isLetter(hyphen - 1)
        let next = isHyphen(hyphen + 2) ? hyphen + 3 : hyphen + 2
        return (isBehindLetters || isBehindHyphenated) && isLetter(hyphen + 1) && isLetter(next)
    }
}
