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
        let shape = caches[0].shape
        let (heads, dimension) = (shape.heads, shape.headDimension)
        let group = query.width / dimension / heads
        let scale = 1 / Float(dimension).squareRoot()
        let tileScratch = scratch.rows(threads, width: group * (KeyValueBlock.positions + 2))
        let attend = shape.type == .f16 ? kernels.floats.attendHalves : kernels.floats.attendFloats
        parallel(query.count * heads, grain: 1) { range, worker in
            let scores = tileScratch[worker]
            let running = scores + group * KeyValueBlock.positions
            for index in range {
                let (row, head) = index.quotientAndRemainder(dividingBy: heads)
                let offset = head * group * dimension
                let result = output[row] + offset
                result.update(repeating: 0, count: group * dimension)
                for query in 0..<group {
                    running[2 * query] = -.infinity
                    running[2 * query + 1] = 0
                }
                var left = positions[row] + 1
                var block = caches[row].blocks
                let base = head * shape.headBytes
                while left > 0 {
                    let count = min(left, KeyValueBlock.positions)
                    attend(
                        query[row] + offset, group, block.pointee.keys + base, block.pointee.values + base, count,
                        dimension, scale, scores, running, result)
                    left -= count
                    block += 1
                }
                normalize(result, group: group, dimension: dimension, running: running)
            }
        }
    }
}

/// Divides every head's accumulated values by its softmax sum.
private func normalize(
    _ output: UnsafeMutablePointer<Float>, group: Int, dimension: Int, running: UnsafePointer<Float>
) {
    for query in 0..<group {
        let inverse = 1 / running[2 * query + 1]
        for element in query * dimension..<(query + 1) * dimension { output[element] *= inverse }
    }
}
