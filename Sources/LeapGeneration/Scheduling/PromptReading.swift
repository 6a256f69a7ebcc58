import LeapModels

/// The prefill of a prompt into the state of a sequence, one part per pass.
final class PromptReading {
    let prompt: Prompt
    /// Whether the prefix cache is used, both to read and to write.
    let usesCache: Bool
    /// Equal for the answers of one job, see ``GenerationRequest/job``.
    private let job: UInt64?
    /// Whether the logits after the last position are wanted.
    let wantsLogits: Bool
    /// How probable its tokens are, if that is wanted.
    private(set) var scoring: PromptScoring?
    private(set) var state: SequenceState
    /// Tokens that were found and not computed.
    private(set) var cachedTokens = 0
    /// Rows of other prompts that were read while this one waited.
    var waitedRows = 0
    /// Whether the cache may have learned something since it was asked.
    var cacheMayHaveChanged = true
    /// The rows of the media that the next pass reads.
    private var mediaRows = MediaRows()

    init(
        _ prompt: Prompt, usesCache: Bool, job: UInt64? = nil, wantsLogits: Bool, scoring: PromptScoring? = nil,
        into state: SequenceState
    ) {
        self.prompt = prompt
        self.usesCache = usesCache
        self.job = job
        self.wantsLogits = wantsLogits
        self.scoring = scoring
        self.state = state
    }

    /// Positions that are read, plus half of the media rows that are encoded but not read yet: encoding is part of the work.
    var progress: Int {
        let position = state.position
        let made = prompt.media.reduce(0) { made, placed in
            made + max(0, placed.start + mediaRows.count(of: placed.media) - max(position, placed.start))
        }
        return position + made / 2
    }

    /// Positions that are not read yet.
    var remainingPositions: Int { prompt.count - state.position }

    /// The prompt with the lowest rank is read first: the one with the least left to read, so that the mean time to the
    /// first token is short. Rows of other prompts that were read while this one waited count in its favour, so that
    /// none starves.
    var rank: Int { remainingPositions - waitedRows }

    /// Whether the next media rows need something that another thread has not finished yet.
    var isWaiting: Bool { mediaRows.isWaiting }

    /// Restores the longest cached prefix, if it is longer than what was read.
    func lookUp(in cache: inout PrefixCache) {
        guard usesCache, cacheMayHaveChanged else { return }
        cacheMayHaveChanged = false
        let position = state.position
        // The last token is computed for its logits.
        cache.restore(state, along: prompt, upTo: wantsLogits ? prompt.count - 1 : prompt.count)
        cachedTokens += state.position - position
    }

    /// Takes the logits of a pass.
    ///
    /// - Returns: Those after the last token of the prompt; none before.
    func take(_ logits: Logits, from position: Int) -> [Float] {
        for row in 0..<logits.rowCount where position + row + 1 < prompt.count {
            // A row of media has no token. A token outside the vocabulary makes the next pass fail.
            let token = prompt.tokens[position + row + 1]
            guard logits[row].indices.contains(Int(token)) else { continue }
            scoring?.score(token, by: logits[row])
        }
        let isWhole = position + logits.rowCount == prompt.count || scoring == nil
        return logits.rowCount > 0 && isWhole ? Array(logits[logits.rowCount - 1]) : []
    }

    /// Whether one of the two may take over what the other has read.
    func shares(with other: PromptReading) -> Bool {
        usesCache && other.usesCache || job != nil && job == other.job
    }

    /// Whether both are of one job, and read the same.
    func isOfSameJob(as other: PromptReading) -> Bool { job != nil && job == other.job && prompt == other.prompt }

    /// Takes over the state of another reading that has read the same prompt to its end, and what it has scored.
    func join(_ state: SequenceState, _ scoring: PromptScoring?) {
        if usesCache { cachedTokens += remainingPositions }
        self.state = state.fork()
        self.scoring = scoring
    }

    /// The end of a pass over at most `rows` of the prompt. Prefers the end of media or of a segment, where the state can be
    /// cached.
    func endOfPass(rows: Int) -> Int {
        let reach = state.position + min(rows, remainingPositions, scoring == nil ? .max : PromptScoring.rows)
        if usesCache, let end = prompt.mediaEnds(in: state.position + 1..<reach + 1).first { return end }
        let boundary = reach / StateSegment.length * StateSegment.length
        return boundary > state.position ? boundary : reach
    }

    /// Whether this reading is about to compute a segment that the other one needs next, so that the other should wait
    /// for it.
    ///
    /// - Parameter isEarlier: Whether this one came first, which decides between two at the same position.
    func leads(_ other: PromptReading, isEarlier: Bool) -> Bool {
        let (mine, its) = (state.position, other.state.position)
        guard shares(with: other), mine > its || (mine == its && isEarlier) else { return false }
        if wantsLogits, other.wantsLogits, prompt == other.prompt { return true }
        guard usesCache, other.usesCache else { return false }
        let needed = other.prompt.nextBoundary(after: its)
        return mine < needed && needed < other.prompt.count && needed <= prompt.count
            && prompt.agrees(with: other.prompt, upTo: needed)
    }
}

// MARK: - Rows

extension PromptReading {
    /// Continues to encode the media rows that a pass will read.
    ///
    /// - Parameters:
    ///   - end: Where the pass will end.
    ///   - time: The time after which no further part is begun.
    /// - Returns: Whether they are all there; not when cancelled.
    /// - Throws: ``GenerationError/media(_:)``.
    func makeRows(upTo end: Int, for time: Duration, isCancelled: () -> Bool) throws(GenerationError) -> Bool {
        try mediaRows.make(placedMedia(upTo: end).map(\.media), for: time, isCancelled)
    }

    /// Appends the positions from the state's to `end` to a batch. All media rows among them must be made.
    func append(upTo end: Int, to batch: inout Batch) {
        var position = state.position
        for placed in placedMedia(upTo: end) {
            append(tokens: position..<max(position, placed.start), to: &batch)
            position = max(position, placed.start)
            let rows = mediaRows[placed.media] ?? []
            for row in position..<min(end, placed.end) {
                let wantsLogits = wantsLogits && row == prompt.count - 1
                batch.append(embedding: rows[row - placed.start], to: state, wantsLogits: wantsLogits)
            }
            position = min(end, placed.end)
        }
        append(tokens: position..<end, to: &batch)
    }

    /// The media of which a pass will read rows.
    private func placedMedia(upTo end: Int) -> [PlacedMedia] {
        prompt.media.filter { $0.end > state.position && $0.start < end }
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
}

extension [PromptReading] {
    /// The indices of the readings that need not wait for another one to read what they need next.
    var leaders: [Int] {
        indices.filter { index in
            !indices.contains { $0 != index && self[$0].leads(self[index], isEarlier: $0 < index) }
        }
    }
}
