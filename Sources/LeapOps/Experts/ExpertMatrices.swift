/// Matrices of one shape and type, one per expert, stored consecutively in their file: `[experts, rows, columns]`.
public struct ExpertMatrices: Sendable {
    /// All rows of all experts.
    let joint: QuantizedMatrix
    /// The number of experts.
    public let count: Int
    /// Outputs of each matrix.
    public let rows: Int

    /// Divides the rows of a matrix among experts; `nil` if they cannot be divided evenly.
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
