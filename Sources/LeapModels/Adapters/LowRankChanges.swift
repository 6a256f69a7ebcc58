import LeapBlocks
import LeapGGUF
import LeapOps

/// What one adapter changes in a projection: `y += scale · factor · up · (down · x)`.
struct LowRankChange<Matrix: Sendable> {
    /// The adapter's place among the model's.
    let adapter: Int
    /// What the adapter's file says of the size of the change.
    let factor: Float
    /// `[rank, columns]`
    let down: Matrix
    /// `[rows, rank]`
    let up: Matrix
}

/// What all adapters change in a projection. The memory belongs to an ``AdapterSet``.
struct LowRankChanges: @unchecked Sendable {
    // `@unchecked`: nothing writes to the changes, and the model keeps their set.

    let base: UnsafePointer<LowRankChange<QuantizedMatrix>>
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
    ///   - multiply: How rows meet matrices.
    func add(
        to y: Rows, _ x: inout Activations, _ scales: AdapterScales, _ compute: Compute,
        multiply: (QuantizedMatrix, inout Activations) -> Rows
    ) {
        for index in 0..<count {
            let change = base[index]
            guard compute.isCounting || scales.isUsed(change.adapter) else { continue }
            // Not in the scope: what `x` keeps of its tiles is made here, perhaps.
            let inner = multiply(change.down, &x)
            compute.scratch.scope {
                var inner = Activations(inner, x.kind)
                let added = multiply(change.up[rows], &inner)
                compute.add(added, scaledBy: scales[change.adapter], times: change.factor, to: y)
            }
        }
    }

    /// The same for all projections but those of routers.
    func add(to y: Rows, _ x: inout Activations, _ scales: AdapterScales, _ compute: Compute) {
        add(to: y, &x, scales, compute) { compute.linear($0, &$1) }
    }
}

/// What all adapters change in the matrices of experts. The memory belongs to an ``AdapterSet``.
struct ExpertChanges: @unchecked Sendable {
    // `@unchecked`: nothing writes to the changes, and the model keeps their set.

    let base: UnsafePointer<LowRankChange<ExpertMatrices>>
    let count: Int

    /// Adds the changes of each expert to its outputs, in the order of the adapters.
    ///
    /// - Parameters:
    ///   - y: `[slots, rows]`.
    ///   - x: `[slots, columns]`, what the experts multiply.
    ///   - scales: How much every adapter weighs in each of the slots.
    func add(
        to y: Rows, _ x: inout Activations, _ groups: ExpertGroups, _ scales: AdapterScales, _ compute: Compute
    ) {
        for index in 0..<count {
            let change = base[index]
            guard compute.isCounting || scales.isUsed(change.adapter) else { continue }
            let inner = compute.linear(change.down, &x, groups)
            compute.scratch.scope {
                var inner = Activations(inner, x.kind)
                let added = compute.linear(change.up, &inner, groups)
                compute.add(added, scaledBy: scales[change.adapter], times: change.factor, to: y)
            }
        }
    }
}

/// What all adapters change in the embeddings of tokens: `x += scale · factor · up · down[token]`. The memory belongs to an
/// ``AdapterSet``.
///
/// Where the output matrix is the embedding it stays as it is, as in training: frameworks that train adapters change the
/// module that they are told to, and not another one with the same weights.
struct EmbeddingChanges: @unchecked Sendable {
    // `@unchecked`: nothing writes to the changes, and the model keeps their set.

    /// `down` is `[tokens, rank]`, `up` is `[width, rank]`.
    let base: UnsafePointer<LowRankChange<QuantizedMatrix>>
    let count: Int

    /// Adds the changes to the rows of tokens, in the order of the adapters; other rows stay as they are.
    ///
    /// - Parameters:
    ///   - x: `[n, width]`, the embeddings of a batch's rows.
    ///   - scale: The factor on the embeddings of tokens.
    ///   - scales: How much every adapter weighs in each of the `n` rows.
    func add(to x: Rows, of batch: Batch, scale: Float, _ scales: AdapterScales, _ compute: Compute) {
        for index in 0..<count {
            let change = base[index]
            guard compute.isCounting || scales.isUsed(change.adapter) else { continue }
            compute.scratch.scope {
                var inner = Activations(compute.lookUp(batch, in: change.down), batch.kind)
                let added = compute.linear(change.up, &inner)
                compute.add(added, scaledBy: scales[change.adapter], times: change.factor * scale, to: x)
            }
        }
    }
}

extension Compute {
    /// The rows of a table that a batch's tokens name, and zeros for its other rows. `[n, table.columns]`
    fileprivate func lookUp(_ batch: Batch, in table: QuantizedMatrix) -> Rows {
        let rows = scratch.rows(batch.count, width: table.columns)
        guard !isCounting else { return rows }
        for row in 0..<batch.count {
            switch batch.inputs[row] {
            case .token(let token): embed(token, from: table, into: rows[row])
            case .embedding: rows[row].update(repeating: 0, count: rows.width)
            }
        }
        return rows
    }
}

extension LoRAFile {
    /// A matrix that stays in the file, `[rows, columns]`.
    func matrix(_ tensor: GGUFTensor, rows: Int, columns: Int) throws(ModelError) -> QuantizedMatrix {
        guard tensor.inputs == columns, tensor.outputs == rows, tensor.matrixCount == 1,
            let matrix = QuantizedMatrix(type: tensor.type, rows: rows, columns: columns, bytes: tensor.bytes)
        else {
            let fault = AdapterFault.wrongShape(
                tensor: tensor.name, expected: "[\(columns), \(rows)]", found: tensor.dimensions)
            throw .adapter(path: file.path, fault)
        }
        return matrix
    }

    /// Matrices of experts that stay in the file, `[count, rows, columns]`.
    func matrices(_ tensor: GGUFTensor, count: Int, rows: Int, columns: Int) throws(ModelError) -> ExpertMatrices {
        // Behind the comparisons no product overflows: a tensor's elements were counted when its file was read.
        guard tensor.inputs == columns, tensor.outputs == rows, tensor.matrixCount == count,
            let joint = QuantizedMatrix(
                type: tensor.type, rows: count * rows, columns: columns, bytes: tensor.bytes),
            let matrices = ExpertMatrices(joint, count: count)
        else {
            let fault = AdapterFault.wrongShape(
                tensor: tensor.name, expected: "[\(columns), \(rows), \(count)]", found: tensor.dimensions)
            throw .adapter(path: file.path, fault)
        }
        return matrices
    }
}
