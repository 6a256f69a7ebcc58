import LeapBlocks
import _LeapTestSupport

/// A tile of the cache whose buffers end where kernels must stop reading.
struct StoredTile {
    let keys: GuardedBuffer
    let values: GuardedBuffer
    private let functions: FloatKernels
    private let types: KeyValueTypes
    private let headDimension: Int

    /// - Parameter unused: The value of all unused bytes.
    init(_ functions: FloatKernels, _ types: KeyValueTypes, headDimension: Int, positions: Int, unused: UInt8 = 0x7F) {
        (self.functions, self.types, self.headDimension) = (functions, types, headDimension)
        let panels = (positions + KeyValueTile.panel - 1) / KeyValueTile.panel
        keys = GuardedBuffer(count: types.keys.byteCount(elements: panels * KeyValueTile.panel * headDimension))
        // Groups of q8_0 lie a whole tile apart.
        let rows = types.values == .q8_0 ? KeyValueTile.positions : positions
        values = GuardedBuffer(count: types.values.byteCount(elements: rows * headDimension))
        for buffer in [keys, values] {
            buffer.start.initializeMemory(as: UInt8.self, repeating: unused, count: buffer.count)
        }
    }

    func store(_ key: [Float], _ value: [Float], at position: Int) {
        functions.storeKeyValue(
            key, value, headDimension, position, keys.start, types.keys.rawValue, values.start,
            types.values.rawValue)
    }

    /// A stored key, read as `KeyValueTile` specifies.
    func key(at position: Int) -> [Float] {
        let (panel, column) = position.quotientAndRemainder(dividingBy: KeyValueTile.panel)
        return (0..<headDimension).map { i in
            let group = (panel * headDimension + i) / 32 * KeyValueTile.groupBytes(positions: KeyValueTile.panel)
            return types.keys.value(
                keys.start, at: (panel * headDimension + i) * KeyValueTile.panel + column, scale: group + 2 * column,
                quant: group + 2 * KeyValueTile.panel + i % 32 * KeyValueTile.panel + column)
        }
    }

    /// A stored value, read as `KeyValueTile` specifies.
    func value(at position: Int) -> [Float] {
        (0..<headDimension).map { i in
            let group = i / 32 * KeyValueTile.groupBytes(positions: KeyValueTile.positions)
            return types.values.value(
                values.start, at: position * headDimension + i, scale: group + 2 * position,
                quant: group + 2 * KeyValueTile.positions + 32 * position + i % 32)
        }
    }
}

extension KeyValueTypes {
    /// Whether the head size is a whole number of blocks.
    func fit(_ headDimension: Int) -> Bool {
        [keys, values].allSatisfy { headDimension.isMultiple(of: $0.elementsPerBlock) }
    }
}

extension KeyValueType {
    /// The stored form of rows, by the definitions of the formats.
    func kept(_ rows: [Float]) -> [Float] {
        switch self {
        case .f32: rows
        case .f16: rows.map { Float(halfBits: $0.halfBits) }
        case .bf16: rows.map { Float(brainFloatBits: $0.brainFloatBits) }
        case .q8_0: stride(from: 0, to: rows.count, by: 32).flatMap { Self.quantized(rows[$0..<$0 + 32]) }
        }
    }

    private static func quantized(_ block: ArraySlice<Float>) -> [Float] {
        let d = (block.map(abs).max() ?? 0) / 127
        let inverse = d == 0 ? 0 : 1 / d
        return block.map { Float(halfBits: d.halfBits) * ($0 * inverse).rounded(.toNearestOrAwayFromZero) }
    }

    /// The element at an index, or for `q8_0`, the one with the scale and quant at the byte offsets.
    fileprivate func value(_ start: UnsafeMutableRawPointer, at index: Int, scale: Int, quant: Int) -> Float {
        switch self {
        case .f32: BlockF32(start + 4 * index).value(at: 0)
        case .f16: BlockF16(start + 2 * index).value(at: 0)
        case .bf16: BlockBF16(start + 2 * index).value(at: 0)
        case .q8_0: BlockF16(start + scale).value(at: 0) * Float(start.load(fromByteOffset: quant, as: Int8.self))
        }
    }
}
