import LeapConstraints
import LeapGGUF
import LeapJSON
import LeapTokenizer
import _LeapTestSupport

/// Where a text violates a constraint: the offset of the first byte not permitted, or its length if it ends too early.
func rejection(of text: String, by constraint: Constraint) -> Int? {
    var state = constraint.makeState()
    if let byte = state.advance(text.utf8) { return byte }
    return state.isAccepting ? nil : text.utf8.count
}

/// A vocabulary that can spell every text: all bytes, and some longer pieces that cross the boundaries of JSON's tokens.
let smallVocabulary: TokenVocabulary = {
    let pieces = [
        "the", " the", "name", "na", "ame", "\":", "\": ", "\",\"", "\"}", "\"},{\"", "}]", "[[", "{\"a\":", "\"a\"",
        "123", "00",
        "0.5", "-1", "e5", "true", "false", "null", "\n    ", "\\n", "\\u00", "\\\"", "\\", "é", "😀", "日本",
        "a\":1,\"a\":1",
        "],", ", ", "2024-0", "2-29", "x-", "ab", "ba", "  ", "\t",
    ]
    let bytes = (0...255).map { [UInt8($0)] }
    let partial: [[UInt8]] = [[0xF0, 0x9F], [0x98, 0x80, 0x22], [0xE6, 0x97], [0xA5, 0x61], [0xC3]]
    let texts = bytes + pieces.map { Array($0.utf8) } + partial + [[]]
    return TokenVocabulary(texts: texts, endTokens: [Int32(texts.count - 1)])
}()

/// The vocabulary of a fixture's model.
func vocabulary(of fixture: String) throws -> TokenVocabulary {
    let tokenizer = try Tokenizer(metadata: try GGUFFile(path: Fixture(name: fixture).path).metadata)
    return TokenVocabulary(
        texts: (0..<tokenizer.vocabularySize).lazy.map { tokenizer.bytes(of: Int32($0), renderSpecial: false) },
        endTokens: tokenizer.endOfGeneration)
}

/// A text of randomly drawn tokens that the masks permit.
struct RandomWalk {
    let text: [UInt8]
    /// Whether the text satisfies the constraint; otherwise the token limit was reached.
    let isFinished: Bool
    /// Failures that must never happen: no permitted token, or a permitted one that violates the constraint.
    let fault: String?

    init(
        _ constraint: Constraint, _ vocabulary: TokenVocabulary, tokens: Int,
        using generator: inout SeededRandomNumberGenerator
    ) {
        var masker = TokenMasker(constraint, vocabulary)
        var state = constraint.makeState()
        var text: [UInt8] = []
        var fault: String?
        for step in 0..<tokens {
            let mask = masker.mask(for: state)
            let choices = (0..<Int32(vocabulary.count)).filter { mask.contains($0) }
            let mayEnd = choices.contains { vocabulary.endTokens.contains($0) }
            if mayEnd != state.isAccepting {
                fault = "the end is permitted where the text is not complete, or the reverse"
            }
            if choices.isEmpty { fault = "no token is permitted" }
            guard fault == nil, !state.isComplete else { break }
            if state.isAccepting, Bool.random(using: &generator) { break }
            // In the second half, prefer tokens that close strings, arrays and objects.
            let closing = choices.filter { token in [[0x22], [0x5D], [0x7D]].contains(vocabulary.bytes(of: token)) }
            let candidates = step > tokens / 2 && !closing.isEmpty ? closing : choices
            guard let token = candidates.filter({ !vocabulary.endTokens.contains($0) }).randomElement(using: &generator)
            else { break }
            let bytes = vocabulary.bytes(of: token)
            text += bytes
            if state.advance(bytes) != nil { fault = "a permitted token leaves the constraint" }
        }
        self.text = text
        self.fault = fault
        isFinished = state.isAccepting
    }
}
