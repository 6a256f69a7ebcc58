public import LeapBlocks

/// A weight matrix in its file's layout, `[rows, columns]`, borrowed from a mapped file. It has no arithmetic of its
/// own.
public struct QuantizedMatrix: @unchecked Sendable {
    // `@unchecked`: the bytes are immutable and outlive the matrix, whose owner keeps the file open.

    /// The type of the elements.
    public let type: GGMLType
    /// Outputs of the product with a vector.
    public let rows: Int
    /// Inputs of the product with a vector.
    public let columns: Int
    /// The first row's first block.
    public let base: UnsafeRawPointer
    /// Bytes from one row to the next.
    public let rowBytes: Int

    /// A view of `bytes`; `nil` if they are not exactly a matrix of that type and shape.
    public init?(type: GGMLType, rows: Int, columns: Int, bytes: UnsafeRawBufferPointer) {
        guard rows > 0, let rowBytes = type.byteCount(elements: columns), rowBytes > 0, let base = bytes.baseAddress
        else { return nil }
        let (byteCount, overflow) = rowBytes.multipliedReportingOverflow(by: rows)
        guard !overflow, byteCount == bytes.count else { return nil }
        self.init(type: type, rows: rows, columns: columns, base: base, rowBytes: rowBytes)
    }

    /// Some of the rows; at least one.
    public subscript(range: Range<Int>) -> QuantizedMatrix {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= rows && !range.isEmpty, "rows \(range) of \(rows)")
        return QuantizedMatrix(
            type: type, rows: range.count, columns: columns, base: base + range.lowerBound * rowBytes,
            rowBytes: rowBytes)
    }

    private init(type: GGMLType, rows: Int, columns: Int, base: UnsafeRawPointer, rowBytes: Int) {
        self.type = type
        self.rows = rows
        self.columns = columns
        self.base = base
        self.rowBytes = rowBytes
    }

    /// Blocks in a row.
    public var blocksPerRow: Int { columns / type.elementsPerBlock }

    /// The first block of row `index`.
    func row(_ index: Int) -> UnsafeRawPointer {
        assert(index >= 0 && index < rows)
        return base + index * rowBytes
    }
}
