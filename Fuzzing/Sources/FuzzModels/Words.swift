/// The vocabulary of a model under construction.
struct Words {
    var tokens: [[UInt8]] = []
    var types: [Int32] = []
    var scores: [Float] = []
    var merges: [[UInt8]] = []

    /// Normal, unknown, control, user-defined, byte: as of `tokenizer.ggml.token_type`.
    private enum Kind {
        static let normal: Int32 = 1
        static let unknown: Int32 = 2
        static let control: Int32 = 3
        static let userDefined: Int32 = 4
        static let byte: Int32 = 6
    }

    static func standard(isSentencePiece: Bool) -> Words { isSentencePiece ? sentencePiece : byteLevel }

    private static let sentencePiece: Words = {
        var words = Words()
        words.append("<unk>", Kind.unknown)
        for text in ["<s>", "</s>", "<|im_start|>", "<|im_end|>"] { words.append(text, Kind.control) }
        for byte in 0...255 { words.append("<0x" + hexadecimal(byte) + ">", Kind.byte) }
        let pieces = ["\u{2581}", "\u{2581}\u{2581}", "\u{2581}t", "\u{2581}the", "he", "th", "in", "er", "\u{2581}a"]
        for text in pieces + (97...122).map({ String(UnicodeScalar(UInt8($0))) }) { words.append(text, Kind.normal) }
        return words
    }()

    private static let byteLevel: Words = {
        var words = Words()
        for text in ["<|startoftext|>", "<|im_start|>", "<|im_end|>"] { words.append(text, Kind.control) }
        for text in ["<think>", "</think>"] { words.append(text, Kind.userDefined) }
        for byte in 0...255 { words.append(String(visible(byte)), Kind.normal) }
        for (left, right) in [("t", "h"), ("Ġ", "th"), ("Ġth", "e"), ("e", "r"), ("Ġ", "Ġ"), ("Ċ", "Ċ"), ("{", "\"")] {
            words.append(left + right, Kind.normal)
            words.merges.append(Array("\(left) \(right)".utf8))
        }
        return words
    }()

    private mutating func append(_ text: String, _ kind: Int32) {
        scores.append(-Float(tokens.count) / 8)
        tokens.append(Array(text.utf8))
        types.append(kind)
    }

    private static func hexadecimal(_ byte: Int) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }

    /// The character of a byte in byte-level vocabularies. Source: openai/gpt-2, `encoder.py`, `bytes_to_unicode`.
    private static func visible(_ byte: Int) -> Unicode.Scalar {
        func isItself(_ byte: Int) -> Bool {
            (33...126).contains(byte) || (161...172).contains(byte) || (174...255).contains(byte)
        }
        let value = isItself(byte) ? byte : 256 + (0..<byte).filter { !isItself($0) }.count
        return Unicode.Scalar(UInt32(value)) ?? " "
    }
}

// MARK: - Edits

extension Words {
    mutating func apply(_ edit: Edit) {
        switch edit.kind {
        case .token: setToken(edit)
        case .merge: setMerge(edit)
        case .element: setElement(edit)
        default: break
        }
    }

    /// A text from the vocabulary, a known text, or invalid bytes.
    private func text(_ edit: Edit) -> [UInt8] {
        switch edit.form % 4 {
        case 0: KnownValues.brokenTexts.chosen(by: edit.choice)
        case 1: tokens.chosen(by: edit.choice) + tokens.chosen(by: edit.number)
        default: Array(KnownValues.texts.chosen(by: edit.choice).utf8)
        }
    }

    private mutating func setToken(_ edit: Edit) {
        let text = text(edit)
        if edit.target % 2 == 0 {
            tokens.append(text)
            types.append(Int32(edit.number % 8))
            scores.append(0)
        } else {
            tokens[Int(edit.number) % tokens.count] = text
        }
    }

    private mutating func setMerge(_ edit: Edit) {
        let rule =
            edit.form % 8 == 0
            ? text(edit) : tokens.chosen(by: edit.number >> 8) + [0x20] + tokens.chosen(by: edit.number & 0xFF)
        if edit.target % 2 == 0 || merges.isEmpty {
            merges.append(rule)
        } else {
            merges[Int(edit.choice) % merges.count] = rule
        }
    }

    private mutating func setElement(_ edit: Edit) {
        let index = Int(edit.number) % tokens.count
        switch edit.target % 4 {
        case 0: types[index] = Int32(truncatingIfNeeded: KnownValues.integers.chosen(by: edit.choice))
        case 1: types[index] = Int32(edit.form % 8)
        default: scores[index] = Float(KnownValues.floats.chosen(by: edit.choice))
        }
    }
}
