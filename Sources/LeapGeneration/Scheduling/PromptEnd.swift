import LeapModels

/// What a prompt that was read to its end has left: other generations with the same prompt begin from here.
final class PromptEnd {
    /// After the prompt; never advanced itself.
    let state: SequenceState
    /// How probable the prompt's tokens are, if that is wanted.
    let scoring: PromptScoring?
    /// The logits after the last token.
    let logits: [Float]

    init(_ prompt: PromptReading, _ logits: [Float]) {
        state = prompt.state.fork()
        scoring = prompt.scoring
        self.logits = logits
    }
}
