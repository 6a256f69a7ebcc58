import LeapBlocks
import LeapGGUF
import LeapOps

/// What one adapter changes in a projection: `y += scale · factor · up · (down · x)`.
struct LowRankChange<Matrix: Sendable> {
    /// The adapter's index among the model's.
    let adapter: Int
    /// The scaling factor in the adapter's file.
    let factor: Float
    /// `[rank, columns]`
    let down: Matrix
    /// `[rows, rank]`
    let up: Matrix
}

/// What all adapters change in one tensor, in the order of the adapters. The memory belongs to an ``AdapterSet``.
struct LowRankChangeList<Matrix: Sendable>: @unchecked Sendable {
    // `@unchecked`: nothing writes to the changes, and the model keeps their set.

    let base: UnsafePointer<LowRankChange<Matrix>>
    let count: Int

    /// Adds the changes to rows that the tensor gave.
    ///
    /// If any row of a pass uses an adapter, it is computed for all rows, and added only to those that use it. So the
    /// result of a row depends on that row alone.
    ///
    /// - Parameters:
    ///   - y: `[n, rows]`.
    ///   - scales: How much every adapter weighs in each of the `n` rows.
    ///   - factor: An additional factor on the rows.
    ///   - lower: Gives `[n, rank]` for `down`.
    ///   - raise: Gives `[n, rows]` of that for `up`.
    func add(
        to y: Rows, _ scales: AdapterScales, times factor: Float = 1, _ kind: RowKind, _ compute: Compute,
        lower: (_ down: Matrix) -> Rows, raise: (_ up: Matrix, _ x: inout Activations) -> Rows
    ) {
        for index in 0..<count {
            let change = base[index]
            guard compute.isCounting || scales.isUsed(change.adapter) else { continue }
            // Not in the scratch scope below: this may create the packed tiles that the input keeps for reuse.
            let inner = lower(change.down)
            compute.scratch.scope {
                var inner = Activations(inner, kind)
                let added = raise(change.up, &inner)
                compute.add(added, scaledBy: scales[change.adapter], times: change.factor * factor, to: y)
            }
        }
    }
}

/// What all adapters change in a projection.
struct LowRankChanges: Sendable {
    let list: LowRankChangeList<QuantizedMatrix>
    /// The outputs of the change that belong to this projection: a part of them if the matrix is shared by several
    /// projections.
    let rows: Range<Int>

    /// Some of the outputs; the range must lie within them.
    subscript(range: Range<Int>) -> LowRankChanges {
        precondition(range.lowerBound >= 0 && range.upperBound <= rows.count)
        return LowRankChanges(
            list: list, rows: rows.lowerBound + range.lowerBound..<rows.lowerBound + range.upperBound)
    }

    /// Adds the changes to the outputs of a projection.
    ///
    /// - Parameters:
    ///   - y: `[n, rows.count]`.
    ///   - x: `[n, columns]`, the input of the projection.
    ///   - scales: How much every adapter weighs in each of the `n` rows.
    ///   - multiply: Multiplies rows by a matrix.
    func add(
        to y: Rows, _ x: inout Activations, _ scales: AdapterScales, _ compute: Compute,
        multiply: (QuantizedMatrix, inout Activations) -> Rows
    ) {
        list.add(to: y, scales, x.kind, compute) {
            multiply($0, &x)
        } raise: {
            multiply($0[rows], &$1)
        }
    }

    /// The same for all projections but those of routers.
    func add(to y: Rows, _ x: inout Activations, _ scales: AdapterScales, _ compute: Compute) {
        add(to: y, &x, scales, compute) { compute.linear($0, &$1) }
    }
}

extension LowRankChangeList<ExpertMatrices> {
    /// Adds the changes of each expert to its outputs.
    ///
    /// - Parameters:
    ///   - y: `[slots, rows]`.
    ///   - x: `[slots, columns]`, what the experts multiply.
    ///   - scales: How much every adapter weighs in each of the slots.
    func add(
        to y: Rows, _ x: inout Activations, _ groups: ExpertGroups, _ scales: AdapterScales, _ compute: Compute
    ) {
        add(to: y, scales, x.kind, compute) {
            compute.linear($0, &x, groups)
        } raise: {
            compute.linear($0, &$1, groups)
        }
    }
}

/// What all adapters change in the embeddings of tokens: `x += scale · factor · up · down[token]`.
///
/// An output matrix that is tied to the embedding stays unchanged, as in training: frameworks adapt the module that they are
/// told to, and not another one that shares its weights.
struct EmbeddingChanges: Sendable {
    /// `down` is `[tokens, rank]`, `up` is `[width, rank]`.
    let list: LowRankChangeList<QuantizedMatrix>

    /// Adds the changes to the rows of tokens; other rows stay as they are.
    ///
    /// - Parameters:
    ///   - x: `[n, width]`, the embeddings of a batch's rows.
    ///   - scale: The factor on the embeddings of tokens.
    ///   - scales: How much every adapter weighs in each of the `n` rows.
    func add(to x: Rows, of batch: Batch, scale: Float, _ scales: AdapterScales, _ compute: Compute) {
        compute.scratch.scope {
            list.add(to: x, scales, times: scale, batch.kind, compute) {
                compute.lookUp(batch, in: $0)
            } raise: {
                compute.linear($0, &$1)
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
        // If the comparisons hold, no product overflows: the tensor's element count was checked when its file was read.
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
