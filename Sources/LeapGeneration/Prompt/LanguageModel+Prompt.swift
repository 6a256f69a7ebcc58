public import LeapModels
public import LeapOps

extension LanguageModel {
    /// The logits after the last position of a prompt, for tools that compare them with those of other implementations.
    ///
    /// - Parameter chunk: Positions in a pass; at least 1. It changes nothing of the logits but the time that they take.
    /// - Returns: One for every token of the vocabulary; none for an empty prompt.
    /// - Throws: ``GenerationError``.
    public func logits(after prompt: Prompt, chunk: Int, _ compute: Compute) throws(GenerationError) -> [Float] {
        let reading = PromptReading(prompt, usesCache: false, wantsLogits: true, into: try emptyState(for: prompt))
        var batch = Batch(of: .prompt)
        var result: [Float] = []
        while reading.remainingPositions > 0 {
            let start = reading.state.position
            let end = start + min(max(1, chunk), reading.remainingPositions)
            guard try reading.makeRows(upTo: end, for: .seconds(60), isCancelled: { false }) else { continue }
            batch.removeAll()
            reading.append(upTo: end, to: &batch)
            do { result = try forward(batch, compute) { reading.take($0, from: start) } } catch { throw .model(error) }
        }
        return result
    }

    private func emptyState(for prompt: Prompt) throws(GenerationError) -> SequenceState {
        guard prompt.count <= configuration.contextLength else {
            throw .promptTooLong(promptTokens: prompt.count, contextLength: configuration.contextLength)
        }
        do { return try makeState(capacity: max(1, prompt.count), adapterScales: prompt.adapterScales) } catch {
            throw .model(error)
        }
    }
}
