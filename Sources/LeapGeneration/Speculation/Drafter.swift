import LeapModels
import LeapOps
import LeapTokenizer

/// Drafts tokens with a draft model, which follows the conversation and decodes a few tokens ahead, greedily.
///
/// Drafts affect only the speed of an answer, never its content; so a draft model that fails merely stops drafting.
final class Drafter {
    private let draft: DraftModel
    private let compute: Compute
    private let chunkSize: Int
    private var batch = Batch(of: .answer)
    private var chunk = Batch(of: .prompt)

    private var cost = MeasuredCost()
    /// Seconds per drafted token: a moving average; `nil` before the first.
    var secondsPerToken: Double? { cost.seconds }

    /// - Parameter chunkSize: The most tokens that it reads between two tokens of an answer.
    init(_ draft: DraftModel, _ compute: Compute, chunkSize: Int) {
        self.draft = draft
        self.compute = compute
        self.chunkSize = chunkSize
    }

    /// The draft model's view of a conversation; `nil` if it cannot read the prompt.
    func sequence(of prompt: Prompt, contextLength: Int) -> DraftSequence? {
        let capacity = min(contextLength, draft.model.configuration.contextLength)
        // Media rows belong to the large model's embedding space, and so do adapters to its weights: neither reaches
        // the draft model.
        guard prompt.media.isEmpty, prompt.count < capacity, let state = try? draft.model.makeState(capacity: capacity)
        else { return nil }
        return DraftSequence(prompt.tokens, state)
    }

    /// Up to `count` drafted tokens. While the draft model is far behind, reads the next chunk instead and may draft none.
    func guess(_ count: Int, after sequence: DraftSequence) -> [Token] {
        let state = sequence.state
        // After a failed pass, an answer continues without a new token.
        guard count > 0, !sequence.isBroken, !sequence.unread.isEmpty, sequence.tokens.count + count <= state.capacity
        else { return [] }
        do throws(ModelError) {
            if sequence.unread.count > SequenceState.reversibleRows { try readOn(sequence) }
            guard sequence.unread.count <= SequenceState.reversibleRows else { return [] }
            // Measured from here: a draft includes reading the few new tokens, but not catching up with a long text.
            let begin = ContinuousClock.now
            let guesses = try guesses(count, after: sequence)
            if !guesses.isEmpty { cost.learn((.now - begin) / .seconds(1) / Double(guesses.count)) }
            return guesses
        } catch {
            sequence.isBroken = true
            return []
        }
    }

    /// Reads the next unread tokens, except for the last one.
    private func readOn(_ sequence: DraftSequence) throws(ModelError) {
        chunk.removeAll()
        chunk.append(
            tokens: sequence.unread.dropLast().prefix(chunkSize), to: sequence.state, wantsLogits: false)
        try draft.model.forward(chunk, compute)
    }

    private func guesses(_ count: Int, after sequence: DraftSequence) throws(ModelError) -> [Token] {
        let state = sequence.state
        var guesses: [Token] = []
        guard let first = try next(after: sequence.unread, state), state.mark(room: count) else { return [] }
        // Rolls back over its own drafts. Accepted ones are read again as part of the answer.
        defer { state.returnToMark() }
        guesses.append(first)
        while guesses.count < count, let guess = try next(after: guesses.suffix(1), state) { guesses.append(guess) }
        return guesses
    }

    /// The draft model's most probable next token, if both vocabularies have it.
    private func next(after tokens: ArraySlice<Token>, _ state: SequenceState) throws(ModelError) -> Token? {
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

    /// Notes that a token was decoded without a draft. Lowers the measured cost a little, so that drafting is tried again.
    func forget() {
        cost.forget(towards: 0)
    }
}
