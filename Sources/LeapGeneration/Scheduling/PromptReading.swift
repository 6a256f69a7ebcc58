import LeapModels

/// A prompt on its way into the state of a sequence, a part in every pass.
final class PromptReading {
    let prompt: Prompt
    /// Whether what is known of the prompt is used, and what is learned of them kept.
    let usesCache: Bool
    /// Whether the logits behind the last position are wanted.
    let wantsLogits: Bool
    /// How probable its tokens are, where that is wanted.
    private(set) var scoring: PromptScoring?
    private(set) var state: SequenceState
    /// Tokens that were found and not computed.
    private(set) var cachedTokens = 0
    /// Rows of other prompts that were read while this one waited.
    var age = 0
    /// Whether the cache may have learned something since it was asked.
    var mayFindMore = true
    /// The rows of the media that a pass read last, because the next one may read more of them.
    private var encoded: (media: PromptMedia, rows: [[Float]])?

    init(
        _ prompt: Prompt, usesCache: Bool, wantsLogits: Bool, scoring: PromptScoring? = nil, into state: SequenceState
    ) {
        self.prompt = prompt
        self.usesCache = usesCache
        self.wantsLogits = wantsLogits
        self.scoring = scoring
        self.state = state
    }

    /// Positions that are not read yet.
    var rest: Int { prompt.count - state.position }

    /// The lowest is read first: the one with the least left to read, so that most answers begin soon. A prompt that had to
    /// wait comes before all that have come since with more to read than was read meanwhile, so none waits for ever.
    var rank: Int { rest - age }

    /// Goes on from the longest beginning that the cache knows, if that is more than was read.
    func lookUp(in cache: inout PrefixCache) {
        guard usesCache, mayFindMore else { return }
        mayFindMore = false
        let position = state.position
        // The last token is computed for its logits.
        cache.restore(state, along: prompt, upTo: wantsLogits ? prompt.count - 1 : prompt.count)
        cachedTokens += state.position - position
    }

    /// Takes the logits of a pass.
    ///
    /// - Returns: Those behind the last token of the prompt; none before.
    func take(_ logits: Logits, from position: Int) -> [Float] {
        for row in 0..<logits.rowCount where position + row + 1 < prompt.count {
            scoring?.score(prompt.tokens[position + row + 1], by: logits[row])
        }
        let isWhole = position + logits.rowCount == prompt.count || scoring == nil
        return logits.rowCount > 0 && isWhole ? Array(logits[logits.rowCount - 1]) : []
    }

    /// Takes over what another reading knows that has read the same prompt to its end.
    func join(_ other: PromptReading) {
        cachedTokens += rest
        state = other.state.fork()
    }

    /// The end of a pass over at most `rows` of the prompt: where a segment ends, if any does, so that others find it.
    func endOfPass(rows: Int) -> Int {
        let reach = state.position + min(rows, rest, scoring == nil ? .max : PromptScoring.rows)
        let boundary = reach / StateSegment.length * StateSegment.length
        return boundary > state.position ? boundary : reach
    }

    /// Whether this reading is about to compute what the other one needs next, so that the other one had better wait.
    ///
    /// - Parameter isEarlier: Whether this one came first, which decides between two that stand at the same token.
    func leads(_ other: PromptReading, isEarlier: Bool) -> Bool {
        let (mine, its) = (state.position, other.state.position)
        guard usesCache, other.usesCache, mine > its || (mine == its && isEarlier) else { return false }
        if wantsLogits, other.wantsLogits, prompt == other.prompt { return true }
        let needed = other.prompt.nextBoundary(after: its)
        return mine < needed && needed < other.prompt.count && needed <= prompt.count
            && prompt.agrees(with: other.prompt, upTo: needed)
    }
}

// MARK: - Rows

extension PromptReading {
    /// Appends what stands from the state's position to another one.
    ///
    /// - Parameter isCancelled: Ends the encoding of media.
    /// - Returns: Whether all of it was appended; not when cancelled.
    /// - Throws: ``GenerationError/media(_:)``.
    func append(
        upTo end: Int, to batch: inout Batch, isCancelled: () -> Bool
    ) throws(GenerationError) -> Bool {
        var position = state.position
        for placed in prompt.media where placed.end > position && placed.start < end {
            append(tokens: position..<max(position, placed.start), to: &batch)
            guard let rows = try rows(of: placed.media, isCancelled) else { return false }
            position = max(position, placed.start)
            for row in position..<min(end, placed.end) {
                let wantsLogits = wantsLogits && row == prompt.count - 1
                batch.append(embedding: rows[row - placed.start], to: state, wantsLogits: wantsLogits)
            }
            position = min(end, placed.end)
        }
        append(tokens: position..<end, to: &batch)
        return true
    }

    private func append(tokens positions: Range<Int>, to batch: inout Batch) {
        guard scoring == nil else {
            for token in prompt.tokens[positions] { batch.append(token: token, to: state, wantsLogits: true) }
            return
        }
        batch.append(
            tokens: prompt.tokens[positions], to: state,
            wantsLogits: wantsLogits && positions.upperBound == prompt.count)
    }

    private func rows(of media: PromptMedia, _ isCancelled: () -> Bool) throws(GenerationError) -> [[Float]]? {
        if let encoded, encoded.media == media { return encoded.rows }
        do {
            guard let rows = try media.encode(isCancelled) else { return nil }
            guard rows.count == media.rowCount else {
                throw MediaRowError(expected: media.rowCount, found: rows.count)
            }
            encoded = (media, rows)
            return rows
        } catch { throw .media(error) }
    }
}

/// An encoder made another number of rows than it had said.
struct MediaRowError: Error, CustomStringConvertible {
    let expected: Int
    let found: Int

    var description: String { "its encoder made \(found) rows, but had said \(expected)" }
}

extension [PromptReading] {
    /// Where those stand that do not wait for another one to read what they need next.
    var leaders: [Int] {
        indices.filter { index in
            !indices.contains { $0 != index && self[$0].leads(self[index], isEarlier: $0 < index) }
        }
    }
}
