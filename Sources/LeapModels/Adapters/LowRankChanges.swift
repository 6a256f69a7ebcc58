import LeapBlocks
import LeapGGUF
import LeapOps

/// What one adapter changes in a projection: `y += scale · factor · up · (down · x)`.
struct LowRankChange {
    /// The adapter's place among the model's.
    let adapter: Int
    /// What the adapter's file says of the size of the change.
    let factor: Float
    /// `[rank, columns]`
    let down: QuantizedMatrix
    /// `[rows, rank]`
    let up: QuantizedMatrix
}

/// What all adapters change in a projection. The memory belongs to an ``AdapterSet``.
struct LowRankChanges: @unchecked Sendable {
    // `@unchecked`: nothing writes to the changes, and the model keeps their set.

    let base: UnsafePointer<LowRankChange>
    let count: Int
    /// The outputs of the changes that are the projection's: all, but for a part of a joint matrix.
    let rows: Range<Int>

    /// Some of the outputs; the range must lie within them.
    subscript(range: Range<Int>) -> LowRankChanges {
        precondition(range.lowerBound >= 0 && range.upperBound <= rows.count)
        return LowRankChanges(
            base: base, count: count, rows: rows.lowerBound + range.lowerBound..<rows.lowerBound + range.upperBound)
    }

    /// Adds the changes to the outputs of a projection, in the order of the adapters.
    ///
    /// An adapter is computed for all rows of a pass as soon as one of them wants it, and added to those that do: what a row
    /// gains depends on the row alone.
    ///
    /// - Parameters:
    ///   - y: `[n, rows.count]`.
    ///   - x: `[n, columns]`, the input of the projection.
    ///   - scales: How much every adapter weighs in each of the `n` rows.
    func add(to y: Rows, _ x: inout Activations, _ scales: AdapterScales, _ compute: Compute) {
        for index in 0..<count {
            let change = base[index]
            guard compute.isCounting || scales.isUsed(change.adapter) else { continue }
            // Not in the scope: what `x` keeps of its tiles is made here, perhaps.
            let inner = compute.linear(change.down, &x)
            compute.scratch.scope {
                var inner = Activations(inner, x.kind)
                let added = compute.linear(change.up[rows], &inner)
                compute.add(added, scaledBy: scales[change.adapter], times: change.factor, to: y)
            }
        }
    }
}

extension LoRAFile {
    /// A matrix that stays in the file, `[rows, columns]`.
    func matrix(_ tensor: GGUFTensor, rows: Int, columns: Int) throws(ModelError) -> QuantizedMatrix {
        guard tensor.inputs == columns, tensor.outputs == rows,
            let matrix = QuantizedMatrix(type: tensor.type, rows: rows, columns: columns, bytes: tensor.bytes)
        else {
            let fault = AdapterFault.wrongShape(
                tensor: tensor.name, expected: "[\(columns), \(rows)]", found: tensor.dimensions)
            throw .adapter(path: file.path, fault)
        }
        return matrix
    }
}
