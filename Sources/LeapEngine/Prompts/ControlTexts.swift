import LeapChat
import LeapTokenizer
import Synchronization

/// The texts of a model's control tokens, indexed when the first messages are rendered.
final class ControlTexts: Sendable {
    private let tokenizer: Tokenizer
    private let indexed = Mutex<ReservedTexts?>(nil)

    init(_ tokenizer: Tokenizer) {
        self.tokenizer = tokenizer
    }

    /// The index, built by the first caller; concurrent callers wait for it.
    func reserved() -> ReservedTexts {
        indexed.withLock { index in
            let made = index ?? ReservedTexts(tokenizer.controlTexts)
            index = made
            return made
        }
    }
}
