import LeapOps

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What follows the last norm of a model that turns texts into vectors: pooling, and matrices that some models add.
struct EmbeddingHead: Sendable {
    let pooling: Pooling
    /// Whether the classifier reads the last token's row instead of the first's.
    let scoresLastToken: Bool
    /// Applied one after another, with nothing between them.
    let dense: [Projection]
    /// Turns a row into a score; `nil` if the model has no classifier.
    let classifier: Classifier?

    /// `{arch}.pooling_type`, without the architecture.
    static let poolingKey = "pooling_type"

    /// The row of a text that is wanted; `nil` for all.
    func wantedRow(of count: Int) -> Int? {
        switch pooling {
        case .none, .mean: nil
        case .cls: 0
        case .last: count - 1
        case .rank: scoresLastToken ? count - 1 : 0
        }
    }

    /// - Parameter rows: The wanted rows of the batch, after the last norm, text by text.
    /// - Returns: A row for each text, or for each token without pooling.
    func callAsFunction(_ rows: Rows, of batch: Batch, _ compute: Compute) -> Rows {
        if pooling == .rank, let classifier { return classifier(rows, compute) }
        var result = pooling == .mean ? compute.means(of: rows, batch) : rows
        for matrix in dense {
            var input = Activations(result, .prompt)
            result = matrix(&input, compute)
        }
        return result
    }

    /// The score in the classifier's row: its only number, or, of two logits, the probability of yes.
    func score(of row: [Float]) -> Float {
        guard row.count == 2, let yes = classifier?.yes else { return row.first ?? 0 }
        return 1 / (1 + exp(row[1 - yes] - row[yes]))
    }

    /// Turns a row into a score: `Wout · tanh(W · x + b) + c`, or only `Wout · x + c`.
    struct Classifier: Sendable {
        /// `[embeddingLength, embeddingLength]`
        let hidden: Projection?
        /// `[labels, embeddingLength]`
        let output: Projection
        /// The label whose probability is the score, if there is more than one.
        let yes: Int

        func callAsFunction(_ x: Rows, _ compute: Compute) -> Rows {
            var input = Activations(x, .prompt)
            guard let hidden else { return output(&input, compute) }
            let rows = hidden(&input, compute)
            compute.softCap(rows, 1)
            var activated = Activations(rows, .prompt)
            return output(&activated, compute)
        }
    }
}

extension Compute {
    /// The mean of every text's rows. Sums are of double precision, so that long texts lose nothing.
    fileprivate func means(of rows: Rows, _ batch: Batch) -> Rows {
        let means = scratch.rows(batch.sequences.count, width: rows.width)
        guard !isCounting else { return means }
        var start = 0
        for (text, count) in batch.counts.enumerated() {
            for element in 0..<rows.width {
                var sum = 0.0
                for row in start..<start + count { sum += Double(rows[row][element]) }
                means[text][element] = Float(sum / Double(count))
            }
            start += count
        }
        return means
    }
}
