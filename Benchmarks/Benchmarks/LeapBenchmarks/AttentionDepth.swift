import LeapBlocks
import LeapKernels
import LeapOps

/// Attention of one new token over the context, and of 512 new tokens, with the heads of LFM2-1.2B. One thread.
func registerAttention() {
    for kernels in Kernels.available {
        for type in KeyValueType.allCases {
            for (rows, depth) in [(1, 512), (1, 4096), (1, 16_384), (512, 512)] {
                registerAttention(type, kernels, rows: rows, depth: depth)
            }
        }
    }
}

private let queryHeads = 32
private let heads = 8
private let headDimension = 64

/// - Parameters:
///   - rows: New tokens.
///   - depth: Positions that the last of them attends to.
private func registerAttention(_ type: KeyValueType, _ kernels: KernelTable, rows: Int, depth: Int) {
    let seen = rows * depth - rows * (rows - 1) / 2
    let work = Work(
        bytes: 2 * type.byteCount(elements: depth * heads * headDimension),
        multiplyAdds: 2 * seen * queryHeads * headDimension)
    let shape = "\(queryHeads)x\(heads)x\(headDimension)"
    let name = rows == 1 ? "d\(depth)" : "pp\(rows)"
    measure(["attention", "\(type)", shape, name, kernels.level.rawValue, "1t"], work) {
        let compute = Compute(kernels: kernels, threads: 1)
        let cache = try filledCache(type, compute, depth: depth)
        let width = queryHeads * headDimension
        let query = TestData.floats(count: rows * width)
        let positions = Array(depth - rows..<depth)
        return Iteration {
            compute.exclusively {
                compute.scratch.scope {
                    let views = [KeyValueView](repeating: cache.view, count: rows)
                    let input = compute.scratch.rows(rows, width: width)
                    input.base.update(from: query, count: query.count)
                    let output = compute.scratch.rows(rows, width: width)
                    let kind: RowKind = rows == 1 ? .answer : .prompt
                    let rule = AttentionRule(keyValueHeads: heads, headDimension: headDimension)
                    compute.attention(input, rule, over: views, positions: positions, kind, into: output)
                }
            }
        }
    }
}

/// Keys and values of `depth` positions.
private func filledCache(_ type: KeyValueType, _ compute: Compute, depth: Int) throws -> KeyValueCache {
    var cache = KeyValueCache(heads: heads, headDimension: headDimension, types: KeyValueTypes(type))
    guard cache.reserve(0..<depth) else { throw MissingData("memory for \(depth) keys and values") }
    let source = TestData.floats(count: depth * heads * headDimension)
    compute.exclusively {
        let rows = compute.scratch.rows(depth, width: heads * headDimension)
        rows.base.update(from: source, count: source.count)
        let views = [KeyValueView](repeating: cache.view, count: depth)
        compute.store(keys: rows, values: rows, in: views, at: Array(0..<depth))
    }
    return cache
}
