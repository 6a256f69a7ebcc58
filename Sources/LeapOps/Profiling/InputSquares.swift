/// Sums of squared inputs of matrices, column by column: the importance matrix, which tells how much errors in a
/// column's weights matter.
///
/// A tool assigns it to ``Compute/inputSquares`` for some passes, and reads it between them.
public final class InputSquares: @unchecked Sendable {
    // `@unchecked`: changed inside `Compute.exclusively`, or between passes by the one tool that uses it.

    /// A tensor: one matrix, or one for each of several experts.
    public struct Matrix: Sendable {
        let address: UInt
        let columns: Int
        /// Experts, or 1.
        let count: Int
        /// An extra factor on the inputs.
        let factor: Float

        /// - Parameters:
        ///   - base: Where the tensor is mapped.
        ///   - columns: Elements of a row.
        ///   - count: Experts, or 1.
        ///   - factor: An extra factor on the inputs that was moved there from the outputs.
        public init(base: UnsafeRawPointer, columns: Int, count: Int, factor: Float = 1) {
            address = UInt(bitPattern: base)
            self.columns = columns
            self.count = count
            self.factor = factor
        }
    }

    /// The sums of a tensor.
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

    /// Collects sums for these tensors only.
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

    /// The sums of a tensor, by its index in the list.
    public subscript(index: Int) -> Sums {
        guard factors[index] != 1 else { return sums[index] }
        let square = Double(factors[index]) * Double(factors[index])
        return Sums(squares: sums[index].squares.map { $0 / square }, counts: sums[index].counts)
    }

    /// Adds the input rows of a matrix. Only matrices that start where a tensor does are counted: the input of a tensor
    /// that is split into several matrices is counted once.
    func add(_ x: Rows, to weights: QuantizedMatrix) {
        guard let index = positions[UInt(bitPattern: weights.base)], columns[index] == x.width else { return }
        add(x, 0..<x.count, to: index, matrix: 0)
    }

    /// Adds rows that are multiplied with experts' matrices.
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
