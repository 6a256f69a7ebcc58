import LeapBlocks

/// Converts MXFP4 weights from safetensors files, which store codes and scales in separate tensors, to blocks.
///
/// A byte of the file holds the codes of two neighbouring elements, the first in the low nibble; a byte of a block
/// holds those of two elements that are half a block apart. Source: Open Compute Project, "OCP Microscaling Formats",
/// version 1.0; the layout of published files of gpt-oss.
struct MXFP4Blocks {
    private let codes: StoredTensor
    private let scales: StoredTensor
    /// The order in which rows are written.
    private let order: RowOrder

    /// The bytes of a block's codes.
    static let codeBytes = BlockMXFP4.elementCount / 2
    private static let rowsOfPiece = 256

    init(codes: StoredTensor, scales: StoredTensor, order: RowOrder) {
        self.codes = codes
        self.scales = scales
        self.order = order
    }

    func run(_ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard let blocksOfRow = scales.shape.last, blocksOfRow > 0 else { return }
        let storedRows = scales.elementCount / blocksOfRow
        let rows = order.count(of: storedRows)
        let (source, scale) = (codes.bytes, scales.bytes)
        var bytes = [UInt8](repeating: 0, count: Self.rowsOfPiece * blocksOfRow * BlockMXFP4.byteCount)
        for first in stride(from: 0, to: rows, by: Self.rowsOfPiece) {
            let count = min(Self.rowsOfPiece, rows - first) * blocksOfRow
            for block in 0..<count {
                let row = order.source(of: first + block / blocksOfRow, count: storedRows)
                let place = row * blocksOfRow + block % blocksOfRow
                let target = block * BlockMXFP4.byteCount
                bytes[target + BlockMXFP4.e] = scale[place]
                for i in 0..<Self.codeBytes {
                    let low = Self.code(i, source, Self.codeBytes * place)
                    let high = Self.code(i + Self.codeBytes, source, Self.codeBytes * place)
                    bytes[target + BlockMXFP4.qs + i] = low | high << 4
                }
            }
            try bytes.withUnsafeBytes {
                try write(UnsafeRawBufferPointer(rebasing: $0[..<(count * BlockMXFP4.byteCount)]))
            }
        }
    }

    /// The code of an element of the block whose bytes begin at `start`.
    private static func code(_ element: Int, _ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt8 {
        let pair = bytes[start + element / 2]
        return element.isMultiple(of: 2) ? pair & 15 : pair >> 4
    }
}
