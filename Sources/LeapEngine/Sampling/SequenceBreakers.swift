import LeapTokenizer
import Synchronization

/// Which tokens DRY's sequence breakers are: those whose text contains one; if none does, the last one of those that
/// spell it.
final class SequenceBreakers: Sendable {
    private let tokenizer: Tokenizer
    /// The UTF-8 of the texts requested last, and their tokens: searching a vocabulary takes some milliseconds.
    private let last = Mutex<(texts: [[UInt8]], tokens: Set<Token>)>(([], []))

    init(_ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
    }

    func tokens(_ texts: [String]) -> Set<Token> {
        let texts = texts.filter { !$0.isEmpty }.map { Array($0.utf8) }
        if let known = last.withLock({ $0.texts == texts ? $0.tokens : nil }) { return known }
        let tokens = find(texts)
        last.withLock { $0 = (texts, tokens) }
        return tokens
    }

    private func find(_ texts: [[UInt8]]) -> Set<Token> {
        var tokens: Set<Token> = []
        var isFound = texts.map { _ in false }
        for token in 0..<Token(truncatingIfNeeded: tokenizer.vocabularySize) {
            let bytes = tokenizer.bytes(of: token, renderSpecial: true)
            for (index, text) in texts.enumerated() where Self.contains(bytes, text) {
                isFound[index] = true
                tokens.insert(token)
            }
        }
        for (index, text) in texts.enumerated() where !isFound[index] {
            if let last = tokenizer.encode(utf8: text, addSpecial: false, parseSpecial: true).last {
                tokens.insert(last)
            }
        }
        return tokens
    }

    private static func contains(_ bytes: [UInt8], _ text: [UInt8]) -> Bool {
        guard bytes.count >= text.count else { return false }
        return (0...bytes.count - text.count).contains { bytes[$0...].starts(with: text) }
    }
}
