import LeapModels

extension Scheduler {
    /// How long media are encoded before another generation gets its turn. A layer that was begun is finished.
    private static let encodingTime = Duration.milliseconds(50)

    /// The generation whose prompt is read next.
    ///
    /// Also notes which accounts could use time; readings that wait for another one could not.
    func nextToRead() -> Generation? {
        let reading = generations.filter { $0.phase == .reading && $0.isActive }
        accounts.removeAll(keepingCapacity: true)
        var leaders = Self.leaders(of: reading)
        for generation in leaders { accounts.insert(generation.account) }
        for member in batchMembers { accounts.insert(member.generation.account) }
        shares.setPresent(accounts)
        // A reading must not wait for one whose client has no turn now.
        let allowed = reading.filter { shares.allows($0.account) }
        if allowed.count < reading.count { leaders = Self.leaders(of: allowed) }
        let ready = leaders.filter { !$0.prompt.isWaiting }
        return (ready.isEmpty ? leaders : ready).min { $0.prompt.rank < $1.prompt.rank }
    }

    /// The generations that need not wait for another one to read what they need next.
    private static func leaders(of reading: [Generation]) -> [Generation] {
        reading.isEmpty ? [] : reading.map(\.prompt).leaders.map { reading[$0] }
    }

    /// Reads the next part of a prompt: whole segments, or the rest after them.
    func read(_ generation: Generation) {
        let (prompt, begin) = (generation.prompt, ContinuousClock.now)
        defer { shares.charge(generation.account, .now - begin) }
        let known = prompt.state.position
        prompt.lookUp(in: &cache)
        if prompt.state.position > known { generation.reportProgress() }
        do throws(GenerationError) {
            let isAwaited = generations.contains { $0.phase == .answering }
            let rows = chunkLength.rows(isAwaited: isAwaited)
            let logits = try read(prompt, rows: rows, isCancelled: { generation.cancellation.isCancelled })
            if !prompt.isWaiting { generation.reportProgress() }
            if let logits, prompt.remainingPositions == 0 { beginAnswers(of: generation, logits) }
        } catch {
            end(generation, error)
        }
    }

    /// Runs at most `rows` of a prompt through the model, and caches the segments that they complete. If media among
    /// them must be encoded first, encodes a part of them instead.
    ///
    /// - Returns: The logits after the last token of the prompt; empty before that; `nil` without a pass or when cancelled.
    private func read(
        _ prompt: PromptReading, rows: Int, isCancelled: () -> Bool
    ) throws(GenerationError) -> [Float]? {
        let (start, end) = (prompt.state.position, prompt.endOfPass(rows: rows))
        guard try prompt.makeRows(upTo: end, for: Self.encodingTime, isCancelled: isCancelled) else { return nil }
        prompts.removeAll()
        prompt.append(upTo: end, to: &prompts)
        let begin = ContinuousClock.now
        let logits = try pass(over: prompts, isCancelled: isCancelled) { prompt.take($0, from: start) }
        guard let logits else { return nil }
        chunkLength.learn(rows: end - start, .now - begin)
        for generation in generations where generation.prompt !== prompt { generation.prompt.waitedRows += end - start }
        try keep(prompt, from: start / StateSegment.length * StateSegment.length)
        return logits
    }

    /// Caches the segments that the last pass completed, the first of which begins at `first`; and the incomplete one after
    /// them if it ends with media.
    private func keep(_ prompt: PromptReading, from first: Int) throws(GenerationError) {
        guard prompt.usesCache else { return }
        // Cached state outlives the generation and may outlive the process, so it must not come from a changed file.
        try checkFile()
        var segments = prompt.state.finishedSegments { prompt.prompt.savesRecurrentState(at: $0, from: first) }
        let position = prompt.state.position
        if prompt.prompt.lastBoundary(upTo: position) == position, let last = prompt.state.unfinishedSegment() {
            segments.append(last)
        }
        var start = first
        for segment in segments {
            cache.insert(segment, at: start, of: prompt.prompt)
            start += segment.count
        }
        guard !segments.isEmpty else { return }
        for generation in generations where generation.prompt !== prompt {
            generation.prompt.cacheMayHaveChanged = true
        }
    }

    /// Begins an answer, and the answers of all other generations with the same prompt, which waited for this one.
    private func beginAnswers(of generation: Generation, _ logits: [Float]) {
        let prompt = generation.prompt
        let others = generations.filter { other in
            other !== generation && other.phase == .reading && prompt.shares(with: other.prompt)
                && other.prompt.prompt == prompt.prompt
        }
        keepEnd(of: prompt, logits)
        for other in others {
            other.prompt.join(prompt.state, prompt.scoring)
            other.reportProgress()
        }
        for generation in [generation] + others { beginAnswer(of: generation, logits) }
    }

    /// Begins an answer after its prompt was read.
    func beginAnswer(of generation: Generation, _ logits: [Float]) {
        let request = generation.request
        do throws(GenerationError) {
            let speech = try speechRun(of: request)
            generation.beginAnswer(
                logits, request.constraint.map { maskers.masker(of: $0) },
                calls: request.callConstraint.map { maskers.masker(of: $0) }, speech, tokenizer, drafter)
            if generation.isComplete { end(generation) }
        } catch {
            end(generation, error)
        }
    }

    private func speechRun(of request: GenerationRequest) throws(GenerationError) -> SpeechRun? {
        guard let speech = request.speech else { return nil }
        return try SpeechRun(speech, seed: request.seed, compute)
    }

    /// Prefills a part of a finished conversation for the cache.
    func prefillForCache(_ interruption: CancellationFlag?) {
        guard let said = pendingPrefills.first else { return }
        do throws(GenerationError) {
            if currentPrefill == nil {
                currentPrefill = PromptReading(
                    said, usesCache: true, wantsLogits: false, into: try makeState(for: said))
            }
            guard let currentPrefill else { return }
            currentPrefill.lookUp(in: &cache)
            if currentPrefill.remainingPositions > 0 {
                // Other models' clients must not wait longer for this than answers wait for a prompt.
                let rows = chunkLength.rows(isAwaited: shares.isWantedElsewhere)
                _ = try read(currentPrefill, rows: rows, isCancelled: { interruption?.isCancelled ?? false })
            }
            if currentPrefill.remainingPositions > 0 { return }
        } catch {
            // If the failure persists, the next prompt meets it and reports it.
        }
        dropCurrentPrefill()
        pendingPrefills.removeFirst()
    }

    /// Frees the state of the text that is being read for the cache. Its reading starts over later, from the cached
    /// segments.
    func dropCurrentPrefill() {
        currentPrefill = nil
    }
}
