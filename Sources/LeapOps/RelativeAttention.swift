import LeapBlocks

/// The rows that attention with relative positions takes.
public struct RelativeAttentionInputs {
    /// `[n, heads · dimension]`
    public let queries: Rows
    /// `[n, heads · dimension]`
    public let keys: Rows
    /// `[n, heads · dimension]`
    public let values: Rows
    /// `[2n − 1, heads · dimension]`: the encodings of relative positions, from n − 1 rows back to n − 1 ahead.
    public let distances: Rows

    /// Groups rows.
    public init(queries: Rows, keys: Rows, values: Rows, distances: Rows) {
        (self.queries, self.keys, self.values, self.distances) = (queries, keys, values, distances)
    }
}

/// The small weights of attention with relative positions.
public struct RelativeAttentionWeights {
    /// `[heads, dimension]`: added to queries before products with keys.
    public let contentBias: UnsafePointer<Float>
    /// `[heads, dimension]`: added to queries before products with distances.
    public let distanceBias: UnsafePointer<Float>
    /// Heads.
    public let heads: Int

    /// Groups the weights.
    public init(contentBias: UnsafePointer<Float>, distanceBias: UnsafePointer<Float>, heads: Int) {
        (self.contentBias, self.distanceBias, self.heads) = (contentBias, distanceBias, heads)
    }
}

extension Compute {
    /// Queries that are computed together: enough to amortise reading all keys, and few enough that cancelling does not
    /// take long.
    private static let relativeBlock = 128

    /// Attention among all rows, in which scores depend on the distance between two rows:
    ///
    ///     score(i, j) = ((q_i + u) · k_j + (q_i + v) · d_(i − j)) / √dimension;   output_i = Σ_j softmax(score(i, ·))_j · v_j
    ///
    /// Source: Dai et al. 2019, "Transformer-XL", section 3.3. Distances are read in place, so that no row has to be
    /// shifted.
    ///
    /// - Parameters:
    ///   - output: `[n, heads · dimension]`.
    ///   - shouldContinue: Called between blocks of queries; returns whether to continue.
    /// - Returns: Whether all of it was computed.
    public func relativeAttention(
        _ inputs: RelativeAttentionInputs, _ weights: RelativeAttentionWeights, into output: Rows,
        shouldContinue: () -> Bool
    ) -> Bool {
        for head in 0..<weights.heads {
            let isDone = scratch.scope {
                attendRelatively(RelativeHead(inputs, weights, head, self), into: output, shouldContinue)
            }
            guard isDone else { return false }
        }
        return true
    }

    private func attendRelatively(_ head: RelativeHead, into output: Rows, _ shouldContinue: () -> Bool) -> Bool {
        guard let keys = head.keys.matrix, let distances = head.distances.matrix, let values = head.values.matrix else {
            return true  // no rows
        }
        for start in stride(from: 0, to: head.count, by: Self.relativeBlock) {
            let block = start..<min(start + Self.relativeBlock, head.count)
            scratch.scope {
                var contentQueries = Activations(head.queries(block, bias: head.contentBias, self), .prompt)
                var positionQueries = Activations(head.queries(block, bias: head.distanceBias, self), .prompt)
                let scores = linear(keys, &contentQueries)
                let positionScores = linear(distances[head.distances(of: block)], &positionQueries)
                weigh(scores, positionScores, scale: 1 / Float(head.dimension).squareRoot())
                var attentionWeights = Activations(scores, .prompt)
                write(linear(values, &attentionWeights), of: head, block, to: output)
            }
            guard shouldContinue() else { return false }
        }
        return true
    }

    /// `scores ← softmax((scores + positionScores) · scale)`. The distances of a query begin one row before those of
    /// the preceding query.
    private func weigh(_ scores: Rows, _ positionScores: Rows, scale: Float) {
        let start = beginOperation()
        defer { endOperation(start, .pointwise(.attention, scores, streams: 3)) }
        parallel(
            scores.count, grain: 4,
            Weighing(floats: kernels.floats, scores: scores, positionScores: positionScores, scale: scale))
    }

    private func write(_ rows: Rows, of head: RelativeHead, _ block: Range<Int>, to output: Rows) {
        guard !isCounting else { return }
        for (index, row) in block.enumerated() {
            (output[row] + head.first).update(from: rows[index], count: rows.width)
        }
    }
}

/// One head of attention with relative positions, with its keys, distances and values as contiguous matrices.
private struct RelativeHead {
    let count: Int
    let dimension: Int
    /// The head's first column.
    let first: Int
    let contentBias: UnsafePointer<Float>
    let distanceBias: UnsafePointer<Float>
    /// `[n, dimension]`
    let keys: Rows
    /// `[2n − 1, dimension]`
    let distances: Rows
    /// `[dimension, n]`
    let values: Rows
    private let inputs: RelativeAttentionInputs

    init(_ inputs: RelativeAttentionInputs, _ weights: RelativeAttentionWeights, _ head: Int, _ compute: Compute) {
        self.inputs = inputs
        count = inputs.queries.count
        dimension = inputs.queries.width / weights.heads
        first = head * dimension
        (contentBias, distanceBias) = (weights.contentBias + first, weights.distanceBias + first)
        keys = compute.columns(first, dimension, of: inputs.keys)
        distances = compute.columns(first, dimension, of: inputs.distances)
        values = compute.transposedColumns(first, dimension, of: inputs.values)
    }

    /// Some queries with a bias added.
    func queries(_ block: Range<Int>, bias: UnsafePointer<Float>, _ compute: Compute) -> Rows {
        let rows = compute.columns(first, dimension, of: inputs.queries[block])
        compute.addBias(bias, to: rows)
        return rows
    }

    /// The distances that some queries need: from that of the last query to the first row, to that of the first query
    /// to the last row.
    func distances(of block: Range<Int>) -> Range<Int> { count - block.upperBound..<2 * count - 1 - block.lowerBound }
}

extension Compute {
    /// Some columns of all rows, copied.
    fileprivate func columns(_ first: Int, _ count: Int, of rows: Rows) -> Rows {
        let result = scratch.rows(rows.count, width: count)
        guard !isCounting else { return result }
        for row in 0..<rows.count { result[row].update(from: rows[row] + first, count: count) }
        return result
    }

    /// Some columns, transposed into rows.
    fileprivate func transposedColumns(_ first: Int, _ count: Int, of rows: Rows) -> Rows {
        let result = scratch.rows(count, width: rows.count)
        guard !isCounting else { return result }
        for row in 0..<rows.count {
            for column in 0..<count { result[column][row] = rows[row][first + column] }
        }
        return result
    }
}

extension Rows {
    /// The rows as a matrix to multiply with; `nil` if there are none.
    fileprivate var matrix: QuantizedMatrix? {
        let bytes = UnsafeRawBufferPointer(start: base, count: count * width * MemoryLayout<Float>.stride)
        return QuantizedMatrix(type: .F32, rows: count, columns: width, bytes: bytes)
    }
}

private struct Weighing: ParallelWork {
    let floats: FloatKernels
    let scores: Rows
    let positionScores: Rows
    let scale: Float

    func run(_ range: Range<Int>, worker: Int) {
        for row in range {
            floats.add(scores[row], positionScores[row] + scores.count - 1 - row, scores.width)
            floats.softmax(scores[row], scale, scores.width)
        }
    }
}
