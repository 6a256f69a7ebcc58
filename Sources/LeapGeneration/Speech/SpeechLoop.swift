import LeapModels
public import LeapTokenizer

/// How words and sound follow each other in an answer that is spoken.
public enum SpeechOrder: Sendable, Hashable {
    /// Words, until the model begins to speak; then sound, until it ends that.
    case sequential
    /// Some tokens and some frames in turns, until the text is at its end; the rest is sound.
    case interleaved(tokens: Int, frames: Int)

    /// As LFM2-Audio was trained. Files do not specify it.
    public static let interleaved = SpeechOrder.interleaved(tokens: 6, frames: 12)
}

/// The tokens that control audio.
public struct SpeechMarks: Sendable, Hashable {
    /// What the model writes before it speaks: `<|audio_start|>`.
    public let start: Token
    /// Ends the text while its sound is still to come: `<|text_end|>`.
    public let textEnd: Token

    /// Finds the tokens in a vocabulary; `nil` if it lacks one, as those of models do that do not speak.
    public init?(_ tokenizer: Tokenizer) {
        guard let start = tokenizer.token(for: "<|audio_start|>"), let textEnd = tokenizer.token(for: "<|text_end|>")
        else {
            return nil
        }
        (self.start, self.textEnd) = (start, textEnd)
    }

    init(start: Token, textEnd: Token) { (self.start, self.textEnd) = (start, textEnd) }
}

/// Whether a token or a frame comes next. Source: LFM2-Audio (Liquid AI 2025), "interleaved and sequential generation".
struct SpeechLoop {
    /// Whether a frame comes next.
    private(set) var isSounding = false
    /// Whether the answer is over although the model has not ended it.
    private(set) var isOver = false

    private let order: SpeechOrder
    private let marks: SpeechMarks
    /// Tokens or frames until the other's turn.
    private var left: Int
    /// Whether the text is at its end.
    private var isTextDone = false
    /// How often sound ended after the end of the text.
    private var ends = 0

    init(_ order: SpeechOrder, _ marks: SpeechMarks) {
        (self.order, self.marks) = (order, marks)
        if case .interleaved(let tokens, _) = order { left = tokens } else { left = 0 }
    }

    /// Takes a token that does not end the answer.
    mutating func take(_ token: Token) {
        switch order {
        case .sequential: isSounding = token == marks.start
        case .interleaved(_, let frames):
            left -= 1
            if token == marks.textEnd { isTextDone = true }
            guard left <= 0 || isTextDone else { return }
            isSounding = true
            left = frames
        }
    }

    /// Takes a frame.
    ///
    /// - Parameter isEnd: Whether it ends the sound.
    mutating func take(frameThatEnds isEnd: Bool) {
        if case .interleaved(let tokens, _) = order {
            left -= 1
            if left <= 0, !isTextDone {
                isSounding = false
                left = tokens
            }
        }
        guard isEnd else { return }
        // As in training: sound that ends early gives the rest of its frames to text.
        isSounding = false
        guard isTextDone else { return }
        // After its text and sound the model ends the answer or, at most once, speaks again.
        ends += 1
        isOver = ends > 1
    }
}
