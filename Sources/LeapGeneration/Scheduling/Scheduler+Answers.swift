import Dispatch
import LeapModels

extension Scheduler {
    /// The most answers in a pass. Larger batches gain little throughput.
    private static let maxBatchSize = 16

    /// Chooses the answers that can continue.
    func chooseBatch() {
        batchMembers.removeAll(keepingCapacity: true)
        beginMasks()
        for generation in generations where generation.phase == .answering && generation.isActive {
            guard generation.takeMask() else { continue }
            generation.drawFirst(drafter)
            if generation.isComplete {
                end(generation)
            } else if canContinue(generation, force: batchMembers.isEmpty && !awaitsMask) {
                batchMembers.append((generation, 0))
            }
        }
    }

    /// Whether an answer will advance as soon as its mask is made.
    private var awaitsMask: Bool { generations.contains { $0.awaitsMask && $0.isActive } }

    /// Makes the masks for the next tokens, or begins to, and waits a little for those begun now: most take less than a
    /// millisecond.
    private func beginMasks() {
        var hasNew = false
        for generation in generations where generation.phase == .answering && generation.isActive {
            guard let needed = generation.makeQuickMask() else { continue }
            let account = generation.account
            let mask = needed.maker.begin(needed.state, for: account) { [maskReady, shares] duration in
                shares.charge(account, duration)
                maskReady.signal()
            }
            generation.wait(for: mask)
            hasNew = true
        }
        guard hasNew else { return }
        let end = DispatchTime.now() + Self.patience
        // A signal may be that of an earlier mask.
        while generations.contains(where: { !$0.takeMask() }), maskReady.wait(timeout: end) == .success {}
    }

    /// Waits for a mask if there is nothing else to do.
    ///
    /// - Returns: Whether an answer needs one.
    func waitForMask() -> Bool {
        guard awaitsMask else { return false }
        _ = maskReady.wait(timeout: .now() + Self.maskInterval)
        return true
    }

    /// How long a pass is put off for a mask.
    private static let patience = DispatchTimeInterval.milliseconds(2)
    /// How long to wait for a mask before checking again whether anything else has come.
    private static let maskInterval = DispatchTimeInterval.milliseconds(4)

    /// Reduces the batch to the answers whose turn it is. If they are more than a pass takes, or both of text and of sound,
    /// those that have waited longest are kept.
    func limitBatch() {
        batchMembers.removeAll { !shares.allows($0.generation.account) }
        guard let first = batchMembers.min(by: { $0.generation.lastPass < $1.generation.lastPass }) else { return }
        batchMembers.removeAll { $0.generation.isSounding != first.generation.isSounding }
        guard batchMembers.count > Self.maxBatchSize else { return }
        batchMembers.sort { $0.generation.lastPass < $1.generation.lastPass }
        batchMembers.removeSubrange(Self.maxBatchSize...)
    }

    /// Whether there is memory for the next token of an answer; reserves it if necessary.
    ///
    /// - Parameter force: Reserves the memory in any case, so that at least one answer advances.
    private func canContinue(_ generation: Generation, force: Bool) -> Bool {
        guard generation.positions(more: 1) > generation.reservedPositions else { return true }
        guard force || hasMemory(for: generation) else { return false }
        reserve(generation)
        return true
    }

    /// Advances every answer in the batch.
    func answer() {
        let begin = ContinuousClock.now
        do throws(GenerationError) { try decode() } catch { answerOneByOne(error) }
        shares.chargeAnswers(batchMembers.lazy.map(\.generation.account), .now - begin)
        for (generation, _) in batchMembers where generation.isComplete { end(generation) }
        batchMembers.removeAll(keepingCapacity: true)
    }

    /// Repeats a failed pass with each answer alone, so that only the one that caused the error fails.
    private func answerOneByOne(_ error: GenerationError) {
        let all = batchMembers
        guard all.count > 1 else { return end(all[0].generation, error) }
        for member in all {
            batchMembers = [member]
            do throws(GenerationError) { try decode() } catch { end(member.generation, error) }
        }
        batchMembers = all
    }

    /// Runs the next token of every answer in the batch through the model, with drafted tokens after it, and draws
    /// what follows. Drawing happens while the pass lends out its logits; events are delivered later, so that no reader
    /// holds up the pass.
    private func decode() throws(GenerationError) {
        passes += 1
        answers.removeAll()
        guard batchMembers.first?.generation.isSounding != true else { return try makeFrames() }
        for index in batchMembers.indices {
            batchMembers[index].row = answers.count
            batchMembers[index].generation.lastPass = passes
            batchMembers[index].generation.append(to: &answers, beside: batchMembers.count - 1, &costs, drafter)
        }
        let begin = ContinuousClock.now
        var duration = Duration.zero
        let isCancelled = { [batchMembers] in batchMembers.allSatisfy { $0.generation.cancellation.isCancelled } }
        let isOver: Void? = try pass(over: answers, isCancelled: isCancelled) { logits in
            duration = .now - begin
            for (generation, row) in batchMembers { generation.draw(from: logits, at: row) }
        }
        guard isOver != nil else { return }
        costs.learn(rows: answers.count, duration)
        chunkLength.learn(answers: duration)
        for (generation, _) in batchMembers { generation.rollBackRejected() }
    }

    /// Runs the last step of every answer in the batch through the model, and makes a frame of sound after it.
    private func makeFrames() throws(GenerationError) {
        for (generation, _) in batchMembers {
            generation.lastPass = passes
            generation.appendStep(to: &answers)
        }
        let isCancelled = { [batchMembers] in batchMembers.allSatisfy { $0.generation.cancellation.isCancelled } }
        let isOver: Void? = try pass(over: answers, isCancelled: isCancelled) { row, values in
            batchMembers[row].generation.keepHiddenRow(values)
        }
        // Release the batch's references to the frame rows first, so that these can be written in place.
        answers.removeAll()
        guard isOver != nil else { return }
        for (generation, _) in batchMembers { generation.makeFrame() }
    }
}
