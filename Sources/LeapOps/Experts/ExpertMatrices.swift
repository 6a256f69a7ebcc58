/// Matrices of one shape and type, one per expert, which lie one after another in their file: `[experts, rows, columns]`.
public struct ExpertMatrices: Sendable {
    /// All rows of all experts.
    let joint: QuantizedMatrix
    /// Experts.
    public let count: Int
    /// Outputs of each matrix.
    public let rows: Int

    /// The rows of a matrix as those of experts; `nil` where they cannot be shared evenly.
    public init?(_ joint: QuantizedMatrix, count: Int) {
        guard count > 0, joint.rows.isMultiple(of: count) else { return nil }
        self.joint = joint
        self.count = count
        rows = joint.rows / count
    }

    /// The matrix of an expert, which must be less than ``count``.
    subscript(expert: Int) -> QuantizedMatrix { joint[expert * rows..<(expert + 1) * rows] }

    /// Bytes of an expert's matrix.
    var byteCount: Int { rows * joint.rowBytes }
}
