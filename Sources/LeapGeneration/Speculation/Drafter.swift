import LeapModels
import LeapOps
import LeapTokenizer

/// Guesses with a draft model, which reads what was said and goes on by itself for a few tokens, always with the most
/// probable one.
///
/// What it guesses decides how fast an answer is computed, never what it says; so a draft model that fails only guesses
/// nothing more.
final class Drafter {
    private let draft: DraftModel
    private let compute: Compute
    private let chunkSize: Int
    private var batch = Batch(of: .answer)
    private var chunk = Batch(of: .prompt)

    private var cost = MeasuredCost()
    /// Seconds of a guess: a moving average; `nil` before the first.
    var secondsPerToken: Double? { cost.seconds }

    /// - Parameter chunkSize: The most tokens that it reads between two tokens of an answer.
    init(_ draft: DraftModel, _ compute: Compute, chunkSize: Int) {
        self.draft = draft
        self.compute = compute
        self.chunkSize = chunkSize
    }

    /// What the draft model knows of a conversation; `nil` where it can know nothing of it.
    func sequence(of prompt: Prompt, contextLength: Int) -> DraftSequence? {
        let capacity = min(contextLength, draft.model.configuration.contextLength)
        // Rows of media are another model's, and so are adapters.
        guard prompt.media.isEmpty, prompt.count < capacity, let state = try? draft.model.makeState(capacity: capacity)
        else { return nil }
        return DraftSequence(prompt.tokens, state)
    }

    /// Up to `count` tokens that may follow. None while there is more to read than a chunk, the next of which is read instead.
    func guess(_ count: Int, behind sequence: DraftSequence) -> [Token] {
        let state = sequence.state
        guard count > 0, !sequence.isBroken, sequence.tokens.count + count <= state.capacity else { return [] }
        do throws(ModelError) {
            if sequence.unread.count > SequenceState.reversibleRows { try readOn(sequence) }
            guard sequence.unread.count <= SequenceState.reversibleRows else { return [] }
            // What was said since the last guess is read in the same pass; catching up with a text is no part of a guess.
            let begin = ContinuousClock.now
            let guesses = try guesses(count, behind: sequence)
            if !guesses.isEmpty { cost.learn((.now - begin) / .seconds(1) / Double(guesses.count)) }
            return guesses
        } catch {
            sequence.isBroken = true
            return []
        }
    }

    /// Reads the next part of what was said, but not its last token.
    private func readOn(_ sequence: DraftSequence) throws(ModelError) {
        chunk.removeAll()
        chunk.append(
            tokens: sequence.unread.dropLast().prefix(chunkSize), to: sequence.state, wantsLogits: false)
        try draft.model.forward(chunk, compute)
    }

    private func guesses(_ count: Int, behind sequence: DraftSequence) throws(ModelError) -> [Token] {
        let state = sequence.state
        var guesses: [Token] = []
        guard let first = try next(behind: sequence.unread, state), state.mark(room: count) else { return [] }
        // What it reads of its own guesses is forgotten: those that were right are read again as what was said.
        defer { state.returnToMark() }
        guesses.append(first)
        while guesses.count < count, let guess = try next(behind: guesses.suffix(1), state) { guesses.append(guess) }
        return guesses
    }

    /// The most probable token behind some others, if both models have it.
    private func next(behind tokens: ArraySlice<Token>, _ state: SequenceState) throws(ModelError) -> Token? {
        batch.removeAll()
        batch.append(tokens: tokens, to: state, wantsLogits: true)
        let count = draft.tokenCount
        return try draft.model.forward(batch, compute) { Self.mostProbable(of: $0[0].prefix(count)) }
    }

    private static func mostProbable(of logits: Slice<UnsafeMutableBufferPointer<Float>>) -> Token? {
        guard var best = logits.indices.first else { return nil }
        for index in logits.indices where logits[index] > logits[best] { best = index }
        return Token(best)
    }

    /// A token came without a guess: what one costs is believed a little less, so that guessing is tried again.
    func forget() {
        cost.forget(towards: 0)
    }
}
