import LeapBlocks

extension Compute {
    /// Writes one row's keys and values at `position`, for which the cache has room.
    ///
    /// - Parameters:
    ///   - keys: `heads · headDimension` floats, rotated.
    ///   - values: `heads · headDimension` floats.
    public func store(
        keys: UnsafePointer<Float>, values: UnsafePointer<Float>, at position: Int, in cache: KeyValueView
    ) {
        let block = cache.blocks[position / KeyValueBlock.positions]
        let (shape, dimension) = (cache.shape, cache.shape.headDimension)
        let row = position % KeyValueBlock.positions * dimension * shape.type.size
        for head in 0..<shape.heads {
            let target = head * shape.headBytes + row
            store(keys + head * dimension, dimension, as: shape.type, at: block.keys + target)
            store(values + head * dimension, dimension, as: shape.type, at: block.values + target)
        }
    }

    private func store(
        _ source: UnsafePointer<Float>, _ count: Int, as type: KeyValueType, at target: UnsafeMutableRawPointer
    ) {
        switch type {
        case .f16: kernels.floats.toHalf(source, target.assumingMemoryBound(to: UInt16.self), count)
        case .f32: target.assumingMemoryBound(to: Float.self).update(from: source, count: count)
        }
    }

    /// Causal attention of every row over its own sequence:
    ///
    ///     output[i][h] = Σ_{p ≤ position[i]} softmax_p(query[i][h] · key[p] / √headDimension) · value[p]
    ///
    /// Consecutive query heads share a key/value head (grouped-query attention).
    ///
    /// - Parameters:
    ///   - query: `[n, queryHeads · headDimension]`, rotated.
    ///   - caches: For every row the cache of its sequence, which holds all positions up to the row's own. All have one
    ///     shape.
    ///   - positions: For every row its position in its sequence.
    ///   - output: `[n, queryHeads · headDimension]`.
    /// - Source: Ainslie et al. 2023, "GQA", section 2.2.
    public func attention(
        _ query: Rows, over caches: UnsafePointer<KeyValueView>, positions: UnsafePointer<Int>, into output: Rows
    ) {
        guard query.count > 0 else { return }
        let start = profiler.begin()
        defer { profiler.end(start, .attention(query, over: caches, positions: positions)) }
        let shape = caches[0].shape
        let group = query.width / shape.headDimension / shape.heads
        let work = AttentionWork(
            attend: shape.type == .f16 ? kernels.floats.attendHalves : kernels.floats.attendFloats,
            query: query, caches: caches, positions: positions, output: output, shape: shape, group: group,
            scale: 1 / Float(shape.headDimension).squareRoot(),
            scratch: scratch.rows(threads, width: group * (KeyValueBlock.positions + 2)))
        parallel(query.count * shape.heads, grain: 1, work)
    }
}

/// Attention of query groups: one row's queries of one key/value head.
private struct AttentionWork: ParallelWork {
    let attend: FloatKernels.Attend
    let query: Rows
    let caches: UnsafePointer<KeyValueView>
    let positions: UnsafePointer<Int>
    let output: Rows
    let shape: KeyValueShape
    /// Query heads per key/value head.
    let group: Int
    let scale: Float
    /// For every worker a tile's scores, `[group, positions]`, and the running maxima and sums, `[group, 2]`.
    let scratch: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for index in range {
            let (row, head) = index.quotientAndRemainder(dividingBy: shape.heads)
            attend(row: row, head: head, scores: scratch[worker])
        }
    }

    private func attend(row: Int, head: Int, scores: UnsafeMutablePointer<Float>) {
        let dimension = shape.headDimension
        let offset = head * group * dimension
        let result = output[row] + offset
        let running = scores + group * KeyValueBlock.positions
        begin(result, running)
        var block = caches[row].blocks
        var left = positions[row] + 1
        while left > 0 {
            let count = min(left, KeyValueBlock.positions)
            attend(
                query[row] + offset, group, block.pointee.keys + head * shape.headBytes,
                block.pointee.values + head * shape.headBytes, count, dimension, scale, scores, running, result)
            left -= count
            block += 1
        }
        normalize(result, running)
    }

    private func begin(_ output: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>) {
        output.update(repeating: 0, count: group * shape.headDimension)
        for query in 0..<group {
            running[2 * query] = -.infinity
            running[2 * query + 1] = 0
        }
    }

    /// Divides every head's accumulated values by its softmax sum.
    private func normalize(_ output: UnsafeMutablePointer<Float>, _ running: UnsafePointer<Float>) {
        let dimension = shape.headDimension
        for query in 0..<group {
            let inverse = 1 / running[2 * query + 1]
            for element in query * dimension..<(query + 1) * dimension { output[element] *= inverse }
        }
    }
}
