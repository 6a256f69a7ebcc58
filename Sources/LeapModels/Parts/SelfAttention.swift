import LeapBlocks
import LeapOps

/// Grouped-query self-attention, with rotary positions if the layer has them.
///
///     q, k, v = Wq·x, Wk·x, Wv·x (+ biases);   q, k ← norm(q), norm(k), if the model has them
///     q, k ← rotate(q, k);   y = Wo · attention(q, k, v) (+ bias)
///
/// If the output is gated, Wq gives every head a gate g after its query: `y = Wo · (σ(g) ⊙ attention(q, k, v))`.
struct SelfAttention: Sendable {
    /// `[headCount · headDimension, embeddingLength]`; twice as many rows if ``isGated``.
    let query: Projection
    /// `[keyValueHeads · headDimension, embeddingLength]`
    let key: Projection
    /// `[keyValueHeads · headDimension, embeddingLength]`
    let value: Projection
    /// `[embeddingLength, headCount · headDimension]`
    let output: Projection
    /// The norms of queries and keys, if the model has them.
    let norms: Norms?
    /// The angles that queries and keys are rotated by, if the layer rotates them.
    let rotary: RotaryChoice?
    /// Whether every head has a gate after its query.
    var isGated = false

    let rule: AttentionRule

    /// Norms of every head, `headDimension` elements, or of all heads of a row together, as many elements as these have.
    struct Norms: Sendable {
        let query: Norm
        let key: Norm
    }

    /// - Parameters:
    ///   - x: `[n, embeddingLength]`, normalised.
    ///   - layer: The number of the layer.
    /// - Returns: `[n, embeddingLength]`.
    func callAsFunction(_ x: Rows, layer: Int, _ pass: ForwardPass, _ compute: Compute) -> Rows {
        var input = Activations(x, pass.kind)
        let (queries, k, v) = Projection.apply(query, key, value, to: &input, compute, pass.adapterScales)
        let (q, gate) = isGated ? split(queries, compute) : (queries, nil)
        if let norms {
            norms.query.parts(of: q, compute)
            norms.key.parts(of: k, compute)
        }
        if let rotary, let angles = pass.angles(rotary) {
            compute.rotate(q, headDimension: rule.headDimension, by: angles)
            compute.rotate(k, headDimension: rule.headDimension, by: angles)
        }

        let storing = compute.beginOperation()
        let caches = pass.caches(of: layer, compute)
        compute.store(keys: k, values: v, in: caches, at: pass.positions)
        compute.endOperation(storing, .pointwise(.store, k, streams: 3))
        let attended = compute.scratch.rows(q.count, width: q.width)
        if pass.hidesRows, !compute.isCounting {
            attend(q, caches, pass, compute, into: attended)
        } else {
            compute.attention(q, rule, over: caches, positions: pass.positions, pass.kind, into: attended)
        }
        if let gate { compute.gate(gate, attended, .sigmoid) }
        var result = Activations(gate ?? attended, pass.kind)
        return output(&result, compute, pass.adapterScales)
    }
}

extension SelfAttention {
    /// Attention with hidden rows, which no row attends to: the visible rows attend as usual, and the hidden ones to all
    /// visible ones.
    private func attend(
        _ q: Rows, _ caches: UnsafePointer<KeyValueView>, _ pass: ForwardPass, _ compute: Compute, into attended: Rows
    ) {
        for run in pass.runs {
            let end = pass.positions[run.seen.upperBound - 1] + 1
            let hidden = run.seen.upperBound..<run.rows.upperBound
            attend(q, run.seen, rule, upTo: end, caches, pass, compute, into: attended)
            if !hidden.isEmpty {
                attend(q, hidden, rule.seeingAll, upTo: end, caches, pass, compute, into: attended)
            }
        }
    }

    private func attend(
        _ q: Rows, _ rows: Range<Int>, _ rule: AttentionRule, upTo end: Int, _ caches: UnsafePointer<KeyValueView>,
        _ pass: ForwardPass, _ compute: Compute, into attended: Rows
    ) {
        // Takes less scratch memory than was counted for all rows at once.
        compute.scratch.scope {
            compute.attention(
                q[rows], rule, over: caches + rows.lowerBound, positions: pass.positions + rows.lowerBound, pass.kind,
                upTo: end, into: attended[rows])
        }
    }

    /// The queries and the gates of all heads.
    private func split(_ queries: Rows, _ compute: Compute) -> (Rows, Rows?) {
        let halves = compute.splitHalves(queries, dimension: rule.headDimension)
        return (halves.first, halves.second)
    }

    /// The layer's part of a sequence's state before the first token.
    func makeState(_ types: KeyValueTypes) -> KeyValueState {
        let cache = KeyValueCache(heads: rule.keyValueHeads, headDimension: rule.headDimension, types: types)
        return KeyValueState(cache, rule)
    }

    /// The bytes of such a state for a number of positions.
    func stateByteCount(positions: Int, _ types: KeyValueTypes) -> Int {
        KeyValueCache.byteCount(
            positions: rule.keptPositions(of: positions, passLength: LanguageModel.chunkSize),
            heads: rule.keyValueHeads, headDimension: rule.headDimension, types: types)
    }
}

extension ForwardPass {
    /// The keys and values that the sequence of each row has in a layer.
    fileprivate func caches(of layer: Int, _ compute: Compute) -> UnsafePointer<KeyValueView> {
        let views = compute.scratch.array(of: KeyValueView.self, count: count)
        for run in runs {
            let view = state(of: layer, in: run, as: KeyValueState.self)._withUnsafeGuaranteedRef { $0.view }
            for row in run.rows { (views + row).initialize(to: view) }
        }
        return UnsafePointer(views)
    }
}
