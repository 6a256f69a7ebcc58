import LeapOps

/// Grouped-query self-attention with rotary positions.
///
///     q, k, v = Wq·x, Wk·x, Wv·x (+ biases);   q, k ← norm per head, where the model has it;   q, k ← rotate(q, k)
///     y = Wo · attention(q, k, v) (+ bias)
struct SelfAttention: Sendable {
    /// `[headCount · headDimension, embeddingLength]`
    let query: Projection
    /// `[keyValueHeads · headDimension, embeddingLength]`
    let key: Projection
    /// `[keyValueHeads · headDimension, embeddingLength]`
    let value: Projection
    /// `[embeddingLength, headCount · headDimension]`
    let output: Projection
    /// Gains of the norms of every query and key head, `headDimension` each.
    let headNorms: (query: FloatVector, key: FloatVector)?

    let headDimension: Int
    let epsilon: Float
    /// Index of the layer's cache in a sequence's state.
    let cache: Int

    /// - Parameter x: `[n, embeddingLength]`, normalised.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass) -> Rows {
        let compute = pass.compute
        var input = Activations(x)
        let (q, k, v) = Projection.apply(query, key, value, to: &input, compute)
        if let headNorms {
            compute.rmsNormHeads(q, headDimension: headDimension, headNorms.query.base, epsilon: epsilon)
            compute.rmsNormHeads(k, headDimension: headDimension, headNorms.key.base, epsilon: epsilon)
        }
        compute.rotate(q, headDimension: headDimension, by: pass.angles)
        compute.rotate(k, headDimension: headDimension, by: pass.angles)

        let storing = compute.beginOperation()
        let caches = pass.views(ofCache: cache)
        compute.store(keys: k, values: v, in: caches, at: pass.positions)
        compute.endOperation(storing, .pointwise(.store, k, streams: 3))
        let attended = compute.scratch.rows(q.count, width: q.width)
        compute.attention(q, over: caches, positions: pass.positions, into: attended)
        var result = Activations(attended)
        return output(&result, compute)
    }
}

extension ForwardPass {
    /// For every row the cache of its sequence.
    fileprivate func views(ofCache index: Int) -> UnsafePointer<KeyValueView> {
        let perSequence = compute.scratch.array(of: KeyValueView.self, count: batch.sequences.count)
        for (sequence, state) in batch.sequences.enumerated() {
            (perSequence + sequence).initialize(to: compute.view(state.caches[index]))
        }
        let perRow = compute.scratch.array(of: KeyValueView.self, count: batch.count)
        for row in 0..<batch.count { (perRow + row).initialize(to: perSequence[batch.sequenceOfRow[row]]) }
        return UnsafePointer(perRow)
    }
}
