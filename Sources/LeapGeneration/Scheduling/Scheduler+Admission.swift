import LeapModels

extension Scheduler {
    func endCancelled() {
        for generation in generations where generation.cancellation.isCancelled { end(generation) }
    }

    /// Lets waiting generations begin as long as there is room, in the order of ``nextToBegin``.
    ///
    /// - Returns: Whether any did.
    func beginWaiting() -> Bool {
        var hasBegun = false
        while let generation = nextToBegin {
            reserve(generation)
            hasBegun = true
            if let end = generation.promptEnd.take() {
                begin(generation, from: end)
            } else {
                generation.prompt.lookUp(in: &cache)
                generation.begin()
            }
        }
        releasePromptEnds()
        return hasBegun
    }

    /// Begins the answer of a generation whose prompt was read while it waited.
    private func begin(_ generation: Generation, from end: PromptEnd) {
        generation.prompt.join(end.state, end.scoring)
        generation.begin()
        beginAnswer(of: generation, end.logits)
    }

    /// Keeps the end of a prompt for the generations of its job that wait for their turn, as far as there is memory: without
    /// it they read the prompt once more.
    func keepEnd(of prompt: PromptReading, _ logits: [Float]) {
        let waiting = generations.filter { $0.phase == .waiting && $0.prompt.isOfSameJob(as: prompt) }
        guard !waiting.isEmpty, budget.hasRoom(from: 0, to: prompt.state.position) else { return }
        budget.raise(from: 0, to: prompt.state.position)
        let end = PromptEnd(prompt, logits)
        promptEnds.append(end)
        for generation in waiting { generation.promptEnd = end }
    }

    /// Releases the ends of prompts for which no generation waits any more.
    private func releasePromptEnds() {
        promptEnds.removeAll { end in
            guard !generations.contains(where: { $0.promptEnd === end }) else { return false }
            budget.release(end.state.position)
            return true
        }
    }

    /// The next waiting generation, if there is room for it: the oldest of the client with the fewest active generations,
    /// foreground before background. Paused ones are skipped.
    var nextToBegin: Generation? {
        let waiting = generations.filter { $0.phase == .waiting && !$0.isPaused }
        guard waiting.count > 0 else { return nil }
        let active = generations.filter(\.isActive)
        func begun(_ generation: Generation) -> (Int, Int) {
            (generation.request.isBackground ? 1 : 0, active.count { $0.account == generation.account })
        }
        guard let first = waiting.min(by: { begun($0) < begun($1) }) else { return nil }
        let isAlone = generations.allSatisfy { $0.phase == .waiting }
        // Background generations do not occupy the slots of foreground ones.
        let beside = active.count { first.request.isBackground || !$0.request.isBackground }
        return isAlone || (beside < configuration.maxActive && hasMemory(for: first)) ? first : nil
    }

    /// The positions that a generation should have reserved.
    private func positionsToReserve(_ generation: Generation) -> Int {
        max(generation.reservedPositions, generation.positions(more: configuration.reservedTokens))
    }

    /// Whether there is memory for the next tokens of an answer.
    func hasMemory(for generation: Generation) -> Bool {
        budget.hasRoom(from: generation.reservedPositions, to: positionsToReserve(generation))
    }

    /// Reserves memory for the next tokens of an answer.
    func reserve(_ generation: Generation) {
        let positions = positionsToReserve(generation)
        budget.raise(from: generation.reservedPositions, to: positions)
        generation.reservedPositions = positions
    }

    /// Ends a generation, and releases what it held.
    func end(_ generation: Generation, _ fault: GenerationError? = nil) {
        guard generation.phase != .ended else { return }
        var fault = fault
        // If the model's file changed on the way, the answer was computed with a mixture of weights and is invalid.
        if fault == nil, generation.phase == .answering {
            do throws(GenerationError) { try checkFile() } catch { fault = error }
        }
        generation.end(fault)
        budget.release(generation.reservedPositions)
        generations.removeAll { $0 === generation }
        releasePromptEnds()
    }
}
