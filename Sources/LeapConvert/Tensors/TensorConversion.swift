package import LeapBlocks

/// A tensor to be written, and the source of its values.
package struct TensorConversion: Sendable {
    /// The name in the GGUF file.
    package let name: String
    package let type: GGMLType
    /// In ggml's order: the first dimension is contiguous.
    package let dimensions: [Int]
    let content: Content
    let arrangement: Arrangement

    enum Content: Sendable {
        /// Matrices of the same shape, concatenated.
        case stored([StoredTensor])
        /// Codes and scales of MXFP4, in separate tensors.
        case blocks(codes: StoredTensor, scales: StoredTensor)
        /// Values computed from the configuration.
        case numbers([Float])
    }

    /// Elements of a row.
    private var columns: Int {
        arrangement.rowLength ?? (dimensions.count > 1 || arrangement.rows == .same ? dimensions[0] : 1)
    }

    /// Rows that are converted at a time.
    private static let pieceElements = 1 << 18

    /// Bytes that are copied at a time: whole elements, and few enough to be still cached when they are written.
    private static let pieceBytes = 1 << 20

    /// Passes the bytes of the tensor to a closure, piece by piece.
    ///
    /// - Throws: ``ConversionError/weight(tensor:element:value:type:)`` for NaN, or values beyond the type's range.
    func run(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        switch content {
        case .numbers(let numbers): try runNumbers(numbers, write)
        case .stored(let tensors):
            for tensor in tensors { try run(tensor, write) }
        case .blocks(let codes, let scales):
            try MXFP4Blocks(codes: codes, scales: scales, order: arrangement.rows).run(write)
        }
    }

    private func runNumbers(_ numbers: [Float], _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        var bytes = [UInt8](repeating: 0, count: 4 * numbers.count)
        bytes.withUnsafeMutableBytes { bytes in
            for (i, number) in numbers.enumerated() {
                bytes.storeBytes(of: number.bitPattern.littleEndian, toByteOffset: 4 * i, as: UInt32.self)
            }
        }
        try bytes.withUnsafeBytes(write)
    }

    private func run(_ tensor: StoredTensor, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let isCopied = tensor.type.tensorType == type && arrangement.keepsNumbers
        if isCopied { return try copy(tensor, write) }
        let columns = columns
        let storedRows = tensor.elementCount / columns
        let rows = arrangement.rows.count(of: storedRows)
        let rowsOfPiece = max(1, Self.pieceElements / columns)
        let values = UnsafeMutableBufferPointer<Float>.allocate(capacity: rowsOfPiece * columns)
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: rowsOfPiece * columns * 4, alignment: 64)
        defer {
            values.deallocate()
            bytes.deallocate()
        }
        guard let base = values.baseAddress, let source = tensor.bytes.baseAddress, let target = bytes.baseAddress
        else {
            return
        }
        let sources =
            arrangement.columns == .same
            ? [] : (0..<columns).map { arrangement.columns.source(of: $0, count: columns) }
        for first in stride(from: 0, to: rows, by: rowsOfPiece) {
            let count = min(rowsOfPiece, rows - first)
            let places = (first..<first + count).map { arrangement.rows.source(of: $0, count: storedRows) }
            if arrangement.isTransposed {
                TransposedRows(type: tensor.type, rows: tensor.shape.last ?? 1, columns: columns)
                    .read(places, of: source, to: base)
            } else {
                for (i, row) in places.enumerated() {
                    tensor.type.read(source + row * columns * tensor.type.size, base + i * columns, count: columns)
                }
            }
            Self.reorder(base, rows: count, sources)
            arrangement.change.apply(to: base, count: count * columns, storedAs: tensor.type)
            try check(base, count: count * columns, first: first * columns)
            let size = FloatStorage.store(base, count: count * columns, as: type, to: target)
            try write(UnsafeRawBufferPointer(start: target, count: size))
        }
    }

    private func copy(_ tensor: StoredTensor, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let bytes = tensor.bytes
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
            let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + Self.pieceBytes, bytes.count)])
            if let bad = NonFiniteNumbers.first(in: piece, of: tensor.type) {
                throw ConversionError.weight(
                    tensor: name, element: start / tensor.type.size + bad.element, value: bad.value, type: type.name)
            }
            try write(piece)
        }
    }

    /// Permutes the columns of every row.
    private static func reorder(_ values: UnsafeMutablePointer<Float>, rows: Int, _ sources: [Int]) {
        guard !sources.isEmpty else { return }
        for row in 0..<rows {
            let base = values + row * sources.count
            let stored = Array(UnsafeBufferPointer(start: base, count: sources.count))
            for (column, source) in sources.enumerated() { base[column] = stored[source] }
        }
    }

    private func check(_ values: UnsafePointer<Float>, count: Int, first: Int) throws(ConversionError) {
        let limit = type.infinityThreshold
        var isSound = true
        for i in 0..<count { isSound = isSound && abs(values[i]) < limit }
        guard !isSound, let bad = (0..<count).first(where: { !(abs(values[$0]) < limit) }) else { return }
        throw .weight(tensor: name, element: first + bad, value: values[bad], type: type.name)
    }
}

extension GGMLType {
    /// The magnitude from which a weight, or the scale of its block, rounds to infinity.
    fileprivate var infinityThreshold: Float {
        switch self {
        case .BF16: 0x1.FFp127
        case .F16: 65_520
        case .Q8_0: 65_520 * 127
        default: .infinity
        }
    }
}
