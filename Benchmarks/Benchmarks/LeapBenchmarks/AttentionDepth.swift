import LeapBlocks
import LeapKernels
import LeapOps

/// Attention of one new token over what came before, with the heads of LFM2-1.2B. One thread.
func registerAttention() {
    for kernels in Kernels.available {
        for type in KeyValueType.allCases {
            for depth in [512, 4096, 16_384] { registerAttention(type, kernels, depth: depth) }
        }
    }
}

private let queryHeads = 32
private let heads = 8
private let headDimension = 64

private func registerAttention(_ type: KeyValueType, _ kernels: KernelTable, depth: Int) {
    let size = type == .f16 ? 2 : 4
    let work = Work(
        bytes: 2 * depth * heads * headDimension * size, multiplyAdds: 2 * depth * queryHeads * headDimension)
    let shape = "\(queryHeads)x\(heads)x\(headDimension)"
    measure(["attention", "\(type)", shape, "d\(depth)", kernels.level.rawValue, "1t"], work) {
        let compute = Compute(kernels: kernels, threads: 1)
        let cache = try filledCache(type, compute, depth: depth)
        let query = TestData.floats(count: queryHeads * headDimension)
        return Iteration {
            compute.exclusively {
                var view = compute.view(cache)
                var position = depth - 1
                let input = compute.scratch.rows(1, width: query.count)
                input.base.update(from: query, count: query.count)
                let output = compute.scratch.rows(1, width: query.count)
                compute.attention(input, over: &view, positions: &position, into: output)
            }
        }
    }
}

/// Keys and values of `depth` positions.
private func filledCache(_ type: KeyValueType, _ compute: Compute, depth: Int) throws -> KeyValueCache {
    var cache = KeyValueCache(heads: heads, headDimension: headDimension, type: type)
    guard cache.reserve(0..<depth) else { throw MissingData("memory for \(depth) keys and values") }
    let row = TestData.floats(count: heads * headDimension)
    compute.exclusively {
        let rows = compute.scratch.rows(depth, width: row.count)
        for position in 0..<depth { rows[position].update(from: row, count: row.count) }
        let views = [KeyValueView](repeating: compute.view(cache), count: depth)
        compute.store(keys: rows, values: rows, in: views, at: Array(0..<depth))
    }
    return cache
}
