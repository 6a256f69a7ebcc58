import Dispatch
package import LeapConstraints
package import LeapTokenizer
import Synchronization

/// A model's vocabulary as constraints need it, made when the first one comes.
final class ConstraintVocabulary: Sendable {
    private let tokenizer: Tokenizer
    private let arranged = Mutex<TokenVocabulary?>(nil)

    init(_ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
    }

    /// Starts building it on another thread, so that it is ready when the prompt has been read.
    func prepare() {
        guard arranged.withLockIfAvailable({ $0 == nil }) ?? false else { return }
        DispatchQueue.global(qos: .userInitiated).async { _ = self.value }
    }

    /// The vocabulary; waits for it while it is being made.
    var value: TokenVocabulary {
        arranged.withLock { arranged in
            let value = arranged ?? TokenVocabulary(tokenizer)
            arranged = value
            return value
        }
    }
}

extension TokenVocabulary {
    /// A tokenizer's vocabulary.
    package convenience init(_ tokenizer: Tokenizer) {
        let ends = tokenizer.endOfGeneration
        self.init(
            texts: (0..<tokenizer.vocabularySize).lazy.map { index in
                let token = Token(truncatingIfNeeded: index)
                let bytes = tokenizer.bytes(of: token, renderSpecial: false)
                // An end token contributes nothing to the text, even if the answer continues after it.
                guard !bytes.isEmpty else { return ends.contains(token) ? [] : Self.bytes(ofHidden: token) }
                // 0xFF, which no UTF-8 text contains, introduces the stand-in of a hidden token, so a byte token must
                // not produce it.
                return bytes == [0xFF] ? [] : bytes
            },
            endTokens: tokenizer.endOfGeneration)
    }
}
