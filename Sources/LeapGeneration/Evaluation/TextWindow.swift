package import LeapModels
package import LeapOps

/// A stretch of text that is read afresh, and of which the second half is scored.
package struct TextWindow {
    private var tokens: [Int32]

    /// Rows per pass: each keeps a whole vocabulary of logits in memory.
    private static let chunkSize = 128

    /// - Parameters:
    ///   - tokens: Those of the text.
    ///   - beginning: The token that takes the place of the first, if the model uses one.
    package init(_ tokens: [Int32], beginning: Int32?) {
        self.tokens = tokens
        if let beginning, !tokens.isEmpty { self.tokens[0] = beginning }
    }

    /// The first token whose logits are used: the tokens after it are scored.
    package static func firstScored(of count: Int) -> Int { count / 2 }

    /// Scored tokens of a window.
    package static func scoredCount(of count: Int) -> Int { max(0, count - 1 - firstScored(of: count)) }

    /// Reads the text, and hands the logits of every scored row to a closure, with the token that follows.
    package func score(
        _ model: LanguageModel, _ compute: Compute, _ body: (_ row: UnsafeBufferPointer<Float>, _ target: Int32) -> Void
    ) throws(ModelError) {
        let state = try model.makeState(capacity: max(tokens.count, 1))
        let firstScored = Self.firstScored(of: tokens.count)
        for start in stride(from: 0, to: tokens.count - 1, by: Self.chunkSize) {
            let end = min(start + Self.chunkSize, tokens.count - 1)
            var batch = Batch(of: .prompt, scoresText: true)
            for index in start..<end {
                batch.append(token: tokens[index], to: state, wantsLogits: index >= firstScored)
            }
            try model.forward(batch, compute) { logits in
                for row in 0..<logits.rowCount {
                    // The rows that want logits are the last of the chunk.
                    body(UnsafeBufferPointer(logits[row]), tokens[end - logits.rowCount + row + 1])
                }
            }
        }
    }

    /// Reads the text for what its passes show to others.
    ///
    /// - Parameter wantsLogits: Whether the output projection is a part of the passes.
    package func read(_ model: LanguageModel, _ compute: Compute, wantsLogits: Bool) throws(ModelError) {
        let state = try model.makeState(capacity: max(tokens.count, 1))
        for start in stride(from: 0, to: tokens.count, by: Self.chunkSize) {
            var batch = Batch(of: .prompt, scoresText: wantsLogits)
            for index in start..<min(start + Self.chunkSize, tokens.count) {
                batch.append(token: tokens[index], to: state, wantsLogits: wantsLogits)
            }
            try model.forward(batch, compute) { _ in }
        }
    }
}
