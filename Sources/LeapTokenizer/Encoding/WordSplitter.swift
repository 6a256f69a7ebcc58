import Foundation

/// Cuts text into the words that ``WordPieceEncoder`` spells: without controls, at spaces, around every punctuation mark and
/// every Chinese character.
///
/// Source: the tokenizer of Devlin et al. 2018, "BERT".
struct WordSplitter {
    /// Whether words are in lower case.
    let lowercases: Bool
    /// Whether words are without accents.
    let stripsAccents: Bool

    /// Calls `body` with every word, in order; none is empty.
    func forEachWord(of text: String, _ body: ([Unicode.Scalar]) -> Void) {
        var stretch = String.UnicodeScalarView()
        func flush() {
            if !stretch.isEmpty { forEachWord(ofStretch: stretch, body) }
            stretch.removeAll(keepingCapacity: true)
        }
        for scalar in text.unicodeScalars {
            if Self.isDropped(scalar) { continue }
            if scalar.properties.isWhitespace {
                flush()
            } else if Self.isChinese(scalar) {
                flush()
                stretch.append(scalar)
                flush()
            } else {
                stretch.append(scalar)
            }
        }
        flush()
    }

    /// The words of a text without spaces.
    private func forEachWord(
        ofStretch stretch: String.UnicodeScalarView, _ body: ([Unicode.Scalar]) -> Void
    ) {
        var word: [Unicode.Scalar] = []
        for scalar in normalized(stretch) {
            guard Self.isPunctuation(scalar) else {
                word.append(scalar)
                continue
            }
            if !word.isEmpty { body(word) }
            word.removeAll(keepingCapacity: true)
            body([scalar])
        }
        if !word.isEmpty { body(word) }
    }

    /// Decomposed and without accents, in lower case.
    private func normalized(_ stretch: String.UnicodeScalarView) -> [Unicode.Scalar] {
        let letters = stripsAccents ? Self.withoutAccents(stretch) : Array(stretch)
        return lowercases ? letters.flatMap { Array($0.properties.lowercaseMapping.unicodeScalars) } : letters
    }

    private static func withoutAccents(_ stretch: String.UnicodeScalarView) -> [Unicode.Scalar] {
        if stretch.allSatisfy(\.isASCII) { return Array(stretch) }
        var letters: [Unicode.Scalar] = []
        var piece = String.UnicodeScalarView()
        func flush() {
            let decomposed = String(piece).decomposedStringWithCanonicalMapping.unicodeScalars
            letters.append(contentsOf: decomposed.lazy.filter { $0.properties.generalCategory != .nonspacingMark })
            piece.removeAll(keepingCapacity: true)
        }
        var length = 0
        for scalar in stretch {
            let order = scalar.properties.canonicalCombiningClass
            // Foundation needs quadratic time to bring combining marks into canonical order. The order of marks that
            // are dropped does not matter; the few others that have one are decomposed in pieces of limited length.
            if order != .notReordered, scalar.properties.generalCategory == .nonspacingMark { continue }
            if length >= longestPiece || order == .notReordered && length >= longestPiece / 4 {
                flush()
                length = 0
            }
            piece.append(scalar)
            length += 1
        }
        flush()
        return letters
    }

    /// Characters that are decomposed together.
    private static let longestPiece = 1024

    /// Whether a character is a control or otherwise no text. Tabs and ends of lines are text, and so is what Unicode has not
    /// assigned yet.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\t", "\n", "\r": false
        case "\0", "\u{FFFD}": true
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .privateUse, .surrogate: true
            default: false
            }
        }
    }

    /// The Unicode category, and all signs of ASCII.
    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return (0x21...0x7E).contains(scalar.value) && !scalar.properties.isAlphabetic
                && !(0x30...0x39).contains(scalar.value)
        }
        switch scalar.properties.generalCategory {
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation:
            return true
        default: return false
        }
    }

    /// Blocks of Chinese characters, which Japanese uses too; kana and Hangul are letters like others.
    private static func isChinese(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B820...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }
}
