import LeapModels
import LeapTokenizer

/// Tokens on their way into the state of a sequence, some in every pass.
final class PromptReading {
    let tokens: [Token]
    /// Whether what is known of the tokens is used, and what is learned of them kept.
    let usesCache: Bool
    /// Whether the logits behind the last token are wanted.
    let wantsLogits: Bool
    private(set) var state: SequenceState
    /// Tokens that were found and not computed.
    private(set) var cachedTokens = 0
    /// Rows of other prompts that were read while this one waited.
    var age = 0
    /// Whether the cache may have learned something since it was asked.
    var mayFindMore = true

    init(_ tokens: [Token], usesCache: Bool, wantsLogits: Bool, into state: SequenceState) {
        self.tokens = tokens
        self.usesCache = usesCache
        self.wantsLogits = wantsLogits
        self.state = state
    }

    /// Tokens that are not read yet.
    var rest: Int { tokens.count - state.position }

    /// Goes on from the longest beginning that the cache knows, if that is more than was read.
    func lookUp(in cache: inout PrefixCache) {
        guard usesCache, mayFindMore else { return }
        mayFindMore = false
        let position = state.position
        // The last token is computed for its logits.
        cache.restore(state, along: wantsLogits ? tokens.dropLast() : tokens[...])
        cachedTokens += state.position - position
    }

    /// Takes over what another reading knows that has read the same tokens to their end.
    func join(_ other: PromptReading) {
        cachedTokens += rest
        state = other.state.fork()
    }

    /// The end of a pass over at most `rows` of the tokens: where a segment ends, if any does, so that others find it.
    func endOfPass(rows: Int) -> Int {
        let reach = state.position + min(rows, rest)
        let boundary = reach / StateSegment.length * StateSegment.length
        return boundary > state.position ? boundary : reach
    }

    /// Whether this reading is about to compute what the other one needs next, so that the other one had better wait.
    ///
    /// - Parameter isEarlier: Whether this one came first, which decides between two that stand at the same token.
    func leads(_ other: PromptReading, isEarlier: Bool) -> Bool {
        let (mine, its) = (state.position, other.state.position)
        guard usesCache, other.usesCache, mine > its || (mine == its && isEarlier) else { return false }
        if wantsLogits, other.wantsLogits, tokens == other.tokens { return true }
        let needed = (its / StateSegment.length + 1) * StateSegment.length
        return mine < needed && needed < other.tokens.count && needed <= tokens.count
            && tokens[..<needed] == other.tokens[..<needed]
    }
}

extension [PromptReading] {
    /// The prompt to read next: the one with the least left to read, so that most answers begin soon. A prompt that had to
    /// wait comes before all that have come since with more to read than was read meanwhile, so none waits for ever.
    var next: PromptReading? {
        let leaders = indices.filter { index in
            !indices.contains { $0 != index && self[$0].leads(self[index], isEarlier: $0 < index) }
        }
        return leaders.map { self[$0] }.min { $0.rest - $0.age < $1.rest - $1.age }
    }
}
