/// Sums of the squares of what matrices are multiplied with, column by column: how much the errors of a column's weights
/// count.
///
/// A tool hands it to ``Compute/inputSquares`` for some passes, and reads it between them.
public final class InputSquares: @unchecked Sendable {
    // `@unchecked`: changed inside `Compute.exclusively`, or between passes by the one tool that uses it.

    /// A tensor: a matrix, or one for each of several experts.
    public struct Matrix: Sendable {
        let address: UInt
        let columns: Int
        /// Experts, or 1.
        let count: Int
        /// A factor that the inputs have beyond what the model says.
        let factor: Float

        /// - Parameters:
        ///   - base: Where the tensor is mapped.
        ///   - columns: Elements of a row.
        ///   - count: Experts, or 1.
        ///   - factor: A factor that the inputs have beyond what the model says, because it was moved there from the outputs.
        public init(base: UnsafeRawPointer, columns: Int, count: Int, factor: Float = 1) {
            address = UInt(bitPattern: base)
            self.columns = columns
            self.count = count
            self.factor = factor
        }
    }

    /// What is known of a tensor.
    public struct Sums: Sendable {
        /// Σ x², `[count, columns]`.
        public var squares: [Double]
        /// Rows that were multiplied, `[count]`.
        public var counts: [Int]
    }

    private let columns: [Int]
    private let factors: [Float]
    private var sums: [Sums]
    private let positions: [UInt: Int]

    /// Sums of these tensors; others are not looked at.
    public init(_ matrices: [Matrix]) {
        columns = matrices.map(\.columns)
        factors = matrices.map(\.factor)
        sums = matrices.map {
            Sums(
                squares: [Double](repeating: 0, count: $0.columns * $0.count),
                counts: [Int](repeating: 0, count: $0.count))
        }
        positions = Dictionary(matrices.enumerated().map { ($1.address, $0) }) { first, _ in first }
    }

    /// What is known of a tensor, by its place in the list.
    public subscript(index: Int) -> Sums {
        guard factors[index] != 1 else { return sums[index] }
        let square = Double(factors[index]) * Double(factors[index])
        return Sums(squares: sums[index].squares.map { $0 / square }, counts: sums[index].counts)
    }

    /// Adds rows that meet a matrix. Only what begins where a tensor does counts, so that of a tensor which is several
    /// matrices of one input, the input counts once.
    func add(_ x: Rows, to weights: QuantizedMatrix) {
        guard let index = positions[UInt(bitPattern: weights.base)], columns[index] == x.width else { return }
        add(x, 0..<x.count, to: index, matrix: 0)
    }

    /// Adds rows that meet the matrices of experts.
    func add(_ x: Rows, to weights: ExpertMatrices, _ groups: ExpertGroups) {
        guard let index = positions[UInt(bitPattern: weights.joint.base)], columns[index] == x.width else { return }
        for group in 0..<groups.count { add(x, groups.slots(group), to: index, matrix: groups.expert(group)) }
    }

    private func add(_ x: Rows, _ rows: Range<Int>, to index: Int, matrix: Int) {
        let width = x.width
        sums[index].counts[matrix] += rows.count
        sums[index].squares.withUnsafeMutableBufferPointer { squares in
            for row in rows {
                let values = x[row]
                for column in 0..<width {
                    let value = Double(values[column])
                    squares[matrix * width + column] += value * value
                }
            }
        }
    }
}
