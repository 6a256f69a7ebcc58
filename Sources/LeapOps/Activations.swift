import LeapBlocks

/// The input of one or more matrix products: rows of floats, and the same rows quantised once for each activation type
/// that the weights need.
public struct Activations {
    /// The rows as floats.
    public let rows: Rows
    /// The kind of the rows, which decides how they are multiplied.
    public let kind: RowKind

    // A slot per type and form instead of an array: a forward pass allocates nothing.
    private var asQ8_0: QuantizedRows?
    private var asQ8_1: QuantizedRows?
    private var asQ8_K: QuantizedRows?
    private var tilesQ8_0: ActivationTiles?
    private var tilesQ8_1: ActivationTiles?
    private var tilesQ8_K: ActivationTiles?
    private var tilesOfFloats: ActivationTiles?
    private var tilesOfWords: ActivationTiles?

    /// An input that is not quantised yet.
    public init(_ rows: Rows, _ kind: RowKind) {
        self.rows = rows
        self.kind = kind
    }

    /// The rows in a weight type's activation type, quantised at the first call.
    mutating func rows(as type: GGMLType, _ compute: Compute) -> QuantizedRows {
        let rows = rows
        func quantize() -> QuantizedRows { compute.quantize(rows, to: type) }
        return switch type {
        case .Q8_0: Self.fill(&asQ8_0, quantize)
        case .Q8_1: Self.fill(&asQ8_1, quantize)
        case .Q8_K: Self.fill(&asQ8_K, quantize)
        default: QuantizedRows(base: UnsafeRawPointer(rows.base), rowBytes: rows.width * MemoryLayout<Float>.stride)
        }
    }

    /// The rows as tiles in a weight type's activation type, packed at the first call.
    ///
    /// - Parameter groups: The experts by which the rows are sorted, if any; always the same for the same rows.
    mutating func tiles(
        as type: GGMLType, _ tiles: TileKernels, _ compute: Compute, groups: ExpertGroups? = nil
    ) -> ActivationTiles {
        let (quantized, rows) = (rows(as: type, compute), rows)
        func pack() -> ActivationTiles {
            if let groups { return compute.pack(quantized, groups, width: rows.width, type: type, tiles) }
            return compute.pack(quantized, count: rows.count, width: rows.width, type: type, tiles)
        }
        return switch tiles.form {
        case .Q8_0: Self.fill(&tilesQ8_0, pack)
        case .Q8_1: Self.fill(&tilesQ8_1, pack)
        case .Q8_K: Self.fill(&tilesQ8_K, pack)
        case .floats: Self.fill(&tilesOfFloats, pack)
        case .words: Self.fill(&tilesOfWords, pack)
        }
    }

    /// The contents of a slot, computed at the first call.
    @inline(__always)
    private static func fill<Value>(_ slot: inout Value?, _ make: () -> Value) -> Value {
        if let known = slot { return known }
        let made = make()
        slot = made
        return made
    }
}

/// Rows in an activation type, contiguous within a row.
struct QuantizedRows {
    let base: UnsafeRawPointer
    let rowBytes: Int
}

extension Compute {
    /// Quantises rows into scratch memory.
    fileprivate func quantize(_ rows: Rows, to type: GGMLType) -> QuantizedRows {
        let start = profiler.begin()
        defer { profiler.end(start, .pointwise(.quantization, rows, streams: 1)) }
        let blocks = rows.width / type.elementsPerBlock
        let rowBytes = blocks * type.bytesPerBlock
        let base = scratch.bytes(rows.count * rowBytes)
        guard let quantizer = kernels.quantizer(to: type) else {
            // Every activation type of a supported weight type has a quantizer at every level; a test sees to it.
            preconditionFailure("no kernel quantises activations to \(type)")
        }
        parallel(
            rows.count, grain: 4,
            Quantization(quantize: quantizer, rows: rows, base: base, rowBytes: rowBytes, blocks: blocks))
        return QuantizedRows(base: UnsafeRawPointer(base), rowBytes: rowBytes)
    }
}

/// Quantises rows to blocks.
private struct Quantization: ParallelWork {
    let quantize: QuantizeKernel
    let rows: Rows
    let base: UnsafeMutableRawPointer
    let rowBytes: Int
    let blocks: Int

    func run(_ range: Range<Int>, worker: Int) {
        for row in range { quantize(rows[row], base + row * rowBytes, blocks) }
    }
}
