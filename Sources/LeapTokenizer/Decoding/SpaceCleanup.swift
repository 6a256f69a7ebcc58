/// Removes spaces that tokenizers of written English put before punctuation.
///
/// It removes, in this order, each in the whole text: a space before `?`, `!`, `.` or `,`; the spaces around a lone `'`; a
/// space before `'s`, `'m`, `'re` or `'ve`. Spaces of the original text are lost, so this is for whole texts to be read by
/// people, not for text that is tokenized again.
///
/// Source: "clean_up_tokenization_spaces" of Hugging Face tokenizers, in the form that llama.cpp applies.
enum SpaceCleanup {
    static func apply(to text: [UInt8]) -> [UInt8] {
        withoutSpaceBeforeContractions(withoutSpaceAroundApostrophes(withoutSpaceBeforePunctuation(text)))
    }

    private static let space = UInt8(ascii: " ")
    private static let apostrophe = UInt8(ascii: "'")

    private static func withoutSpaceBeforePunctuation(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if index > 0, text[index - 1] == space, "?!.,".utf8.contains(byte) { result.removeLast() }
            result.append(byte)
        }
        return result
    }

    private static func withoutSpaceAroundApostrophes(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        var hasSpaceBefore = false  // a space that is still there
        while index < text.count {
            let isLone =
                hasSpaceBefore && text[index] == apostrophe && index + 1 < text.count && text[index + 1] == space
            if isLone { result.removeLast() }
            result.append(text[index])
            hasSpaceBefore = text[index] == space
            index += isLone ? 2 : 1
        }
        return result
    }

    private static func withoutSpaceBeforeContractions(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for (index, byte) in text.enumerated() {
            if index > 0, text[index - 1] == space, isContraction(text[index...]) { result.removeLast() }
            result.append(byte)
        }
        return result
    }

    private static func isContraction(_ text: ArraySlice<UInt8>) -> Bool {
        ["'s", "'m", "'re", "'ve"].contains { text.starts(with: $0.utf8) }
    }
}
