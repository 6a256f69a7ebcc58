/// Python's string operations that have no direct counterpart in the standard library.
extension String {
    /// The byte offset of the first occurrence of `part`.
    func firstOffset(of part: String) -> Int? {
        part.isEmpty ? 0 : ByteSearch(Array(part.utf8)).first(in: Array(utf8))
    }

    /// Without the scalars of `characters`, or whitespace if nil, at the chosen ends.
    func stripped(of characters: String?, leading: Bool = true, trailing: Bool = true) -> String {
        let set = characters.map { Set($0.unicodeScalars) }
        func isStripped(_ scalar: Unicode.Scalar) -> Bool { set?.contains(scalar) ?? scalar.isPythonSpace }
        var rest = self[...].unicodeScalars
        if leading { rest = rest.drop(while: isStripped) }
        if trailing { while let last = rest.last, isStripped(last) { rest.removeLast() } }
        return String(rest)
    }

    /// The words between runs of whitespace; after `limit` splits, the rest stays whole.
    func splitAtWhitespace(limit: Int = .max) -> [String] {
        var words: [String] = []
        var rest = self[...].unicodeScalars.drop(while: \.isPythonSpace)
        while !rest.isEmpty {
            guard words.count < limit else {
                words.append(String(rest))
                break
            }
            let word = rest.prefix { !$0.isPythonSpace }
            words.append(String(word))
            rest = rest[word.endIndex...].drop(while: \.isPythonSpace)
        }
        return words
    }

    /// The same from the end: after `limit` splits, the part before the last one stays whole.
    func splitAtWhitespaceFromEnd(limit: Int) -> [String] {
        String(String.UnicodeScalarView(unicodeScalars.reversed())).splitAtWhitespace(limit: limit)
            .map { String(String.UnicodeScalarView($0.unicodeScalars.reversed())) }.reversed()
    }

    /// The parts between occurrences of `separator`, which is not empty.
    func split(at separator: String, limit: Int = .max) -> [String] {
        let bytes = Array(utf8)
        let size = separator.utf8.count
        var parts: [String] = []
        var start = 0
        for offset in ByteSearch(Array(separator.utf8)).all(in: bytes, limit: limit) {
            parts.append(String(decoding: bytes[start..<offset], as: UTF8.self))
            start = offset + size
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    /// The same from the end.
    func splitFromEnd(at separator: String, limit: Int) -> [String] {
        let bytes = Array(utf8)
        let size = separator.utf8.count
        let reversed = ByteSearch(separator.utf8.reversed()).all(in: bytes.reversed(), limit: limit)
        var parts: [String] = []
        var end = bytes.count
        for offset in reversed {
            let start = bytes.count - offset
            parts.append(String(decoding: bytes[start..<end], as: UTF8.self))
            end = start - size
        }
        return [String(decoding: bytes[..<end], as: UTF8.self)] + parts.reversed()
    }

    /// The lines, without their breaks unless `keepingBreaks`.
    func lines(keepingBreaks: Bool = false) -> [String] {
        var lines: [String] = []
        var rest = self[...].unicodeScalars
        while !rest.isEmpty {
            let line = rest.prefix { !$0.isLineBreak }
            var after = line.endIndex
            if after < rest.endIndex {
                let isReturn = rest[after] == "\r"
                after = rest.index(after: after)
                if isReturn, after < rest.endIndex, rest[after] == "\n" { after = rest.index(after: after) }
            }
            lines.append(String(keepingBreaks ? rest[..<after] : line))
            rest = rest[after...]
        }
        return lines
    }

    /// The first `limit` occurrences of `old` replaced. An empty `old` occurs around every scalar.
    package func replacing(_ old: String, with new: String, limit: Int) -> String {
        guard old.isEmpty else { return split(at: old, limit: limit).joined(separator: new) }
        var result = ""
        var left = limit
        for scalar in unicodeScalars {
            if left > 0 {
                result += new
                left -= 1
            }
            result.unicodeScalars.append(scalar)
        }
        return left > 0 ? result + new : result
    }

    /// Every word capitalised; words are runs of cased scalars.
    func titlecased() -> String {
        let scalars = Array(unicodeScalars)
        var result = ""
        var isInWord = false
        for (index, scalar) in scalars.enumerated() {
            result += isInWord ? scalars.pythonLowercase(at: index) : scalar.properties.titlecaseMapping
            isInWord = scalar.isCased
        }
        return result
    }

    /// Only the first character in upper case.
    func capitalizedOnce() -> String {
        let marks = unicodeScalars.prefix(while: \.isMark)
        let rest = unicodeScalars[marks.endIndex...]
        guard let first = rest.first else { return self }
        return String(marks) + first.properties.titlecaseMapping + String(rest.dropFirst()).pythonLowercased()
    }

    /// `str.lower`.
    func pythonLowercased() -> String {
        guard unicodeScalars.contains("Σ") else { return lowercased() }
        let scalars = Array(unicodeScalars)
        return scalars.indices.map { scalars.pythonLowercase(at: $0) }.joined()
    }

    /// `str.casefold`: lower case by way of upper case, so that all forms of a letter become one.
    func caseFolded() -> String {
        unicodeScalars.map { scalar in
            switch scalar.value {
            // The dotless i, whose upper case is I, is not a form of i.
            case 0x131: "\u{131}"
            // The capital sharp s, whose folding is two letters.
            case 0x1E9E: "ss"
            // Cherokee letters are folded to upper case.
            case 0x13A0...0x13FD, 0xAB70...0xABBF: scalar.properties.uppercaseMapping
            default: scalar.properties.uppercaseMapping.unicodeScalars.map(\.properties.lowercaseMapping).joined()
            }
        }.joined()
    }

    /// Upper case and lower case swapped.
    func caseSwapped() -> String {
        let scalars = Array(unicodeScalars)
        return scalars.enumerated().map { index, scalar in
            scalar.isUppercase
                ? scalars.pythonLowercase(at: index)
                : scalar.isLowercase ? scalar.properties.uppercaseMapping : String(scalar)
        }.joined()
    }

    /// `str.istitle`: upper case only at the beginning of words, lower case only inside.
    var isTitlecased: Bool {
        var isInWord = false
        var hasWord = false
        for scalar in unicodeScalars {
            if scalar.isUppercase || scalar.isTitlecase {
                if isInWord { return false }
                (isInWord, hasWord) = (true, true)
            } else if scalar.isLowercase {
                if !isInWord { return false }
                hasWord = true
            } else {
                isInWord = false
            }
        }
        return hasWord
    }

    /// Tabs replaced by spaces up to the next multiple of `size` columns.
    func expandingTabs(to size: Int) -> String {
        var result = ""
        var column = 0
        for scalar in unicodeScalars {
            if scalar == "\t" {
                let count = size > 0 ? size - column % size : 0
                result += String(repeating: " ", count: count)
                column += count
            } else {
                result.unicodeScalars.append(scalar)
                column = scalar == "\n" || scalar == "\r" ? 0 : column + (scalar.isMark ? 0 : 1)
            }
        }
        return result
    }
}

extension Array<Unicode.Scalar> {
    /// The lower-case mapping of a scalar. A capital sigma at the end of a word has a special form.
    fileprivate func pythonLowercase(at index: Int) -> String {
        guard self[index] == "Σ" else { return self[index].properties.lowercaseMapping }
        let before = self[..<index].last { !$0.properties.isCaseIgnorable }
        let after = self[(index + 1)...].first { !$0.properties.isCaseIgnorable }
        return (before?.isCased ?? false) && !(after?.isCased ?? false) ? "ς" : "σ"
    }
}
