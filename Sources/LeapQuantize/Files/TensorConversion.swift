import Dispatch
import LeapBlocks
import LeapGGUF
import LeapKernels
import Synchronization

/// Converts a tensor from one type to another, in slabs of pieces that threads share.
struct TensorConversion: Sendable {
    private let tensor: GGUFTensor
    private let encoder: RowEncoder
    private let dequantize: DequantizeKernel
    /// The error weight of each column: one row per matrix of the tensor, or one row for all; empty if all are equal.
    private let weights: [Float]

    /// Elements that a thread converts at a time: together with their results, they fit in its second-level cache.
    private static let pieceSize = 1 << 16
    /// Pieces per slab; a slab's bytes are written at once.
    private static let piecesOfSlab = 128

    init(_ tensor: GGUFTensor, _ encoder: RowEncoder, weights: [Float]?) throws(QuantizationError) {
        guard let kernel = Kernels.best[tensor.type]?.dequantize else {
            throw .unreadableType(tensor: tensor.name, type: tensor.type)
        }
        self.tensor = tensor
        self.encoder = encoder
        self.weights = weights ?? []
        dequantize = kernel
    }

    private var columns: Int { tensor.dimensions[0] }

    /// Converts everything and passes the bytes to a closure in order.
    func run(threads: Int, _ write: (UnsafeRawBufferPointer) throws -> Void) throws {
        let slabs = Slabs(total: tensor.elementCount, piece: pieceSize, count: Self.piecesOfSlab)
        let type = encoder.type
        guard let capacity = type.byteCount(elements: slabs.largest) else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
        defer { buffer.deallocate() }
        guard let base = buffer.baseAddress else { return }
        for slab in slabs.all {
            try convert(slab, to: base, threads: threads)
            let count = type.byteCount(elements: slab.count) ?? 0
            try write(UnsafeRawBufferPointer(start: base, count: count))
        }
    }

    /// Elements of a piece: whole rows or, for a long row, whole blocks of both types.
    private var pieceSize: Int {
        columns < Self.pieceSize ? Self.pieceSize / columns * columns : Self.pieceSize
    }

    private func convert(_ slab: Range<Int>, to base: UnsafeMutableRawPointer, threads: Int) throws {
        let size = pieceSize
        let pieces = (slab.count + size - 1) / size
        let next = Atomic<Int>(0)
        let failure = Mutex<QuantizationError?>(nil)
        let target = Destination(base: base)
        DispatchQueue.concurrentPerform(iterations: min(threads, pieces)) { _ in
            let scratch = Scratch(count: size)
            defer { scratch.deallocate() }
            while true {
                let piece = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard piece < pieces else { return }
                let start = slab.lowerBound + piece * size
                let range = start..<min(start + size, slab.upperBound)
                do throws(QuantizationError) {
                    try convert(range, scratch, to: target.base + bytes(slab.lowerBound..<start))
                } catch {
                    failure.withLock { $0 = $0 ?? error }
                    return
                }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    private func bytes(_ elements: Range<Int>) -> Int { encoder.type.byteCount(elements: elements.count) ?? 0 }

    private func convert(
        _ range: Range<Int>, _ scratch: Scratch, to destination: UnsafeMutableRawPointer
    ) throws(QuantizationError) {
        let type = tensor.type
        guard let source = tensor.bytes.baseAddress else { return }
        let offset = range.lowerBound / type.elementsPerBlock * type.bytesPerBlock
        dequantize(source + offset, scratch.values, range.count / type.elementsPerBlock)
        try check(range, scratch.values)
        fillWeights(range, scratch.weights)
        encoder.encode(
            scratch.values, weights: scratch.weights, blocks: range.count / encoder.type.elementsPerBlock,
            to: destination)
    }

    /// The magnitude from which a type rounds to infinity, or would need infinite scales or minima. These are
    /// half-precision numbers, multiplied by a code and, in blocks of several groups, by a group's integer scale.
    private var limit: Float {
        let half: Float = 65_520
        return switch encoder.type {
        case .F16, .Q4_1, .Q5_1: half
        case .BF16: 0x1.FFp127
        case .Q4_0: half * 8
        case .Q5_0: half * 16
        case .Q8_0, .IQ4_NL: half * 127
        case .Q2_K: half * 15
        case .Q3_K: half * 4 * 32
        case .Q4_K, .Q5_K: half * 63
        case .Q6_K: half * 32 * 128
        case .IQ4_XS: half * 127 * 32
        default: .infinity
        }
    }

    /// Rejects values that are not finite, or beyond the type's range.
    private func check(_ range: Range<Int>, _ values: UnsafePointer<Float>) throws(QuantizationError) {
        let limit = limit
        let whole = range.count / 4 * 4
        var areSound = SIMDMask<SIMD4<Int32>>(repeating: true)
        for i in stride(from: 0, to: whole, by: 4) {
            let x = UnsafeRawPointer(values + i).loadUnaligned(as: Lanes.self)
            areSound = areSound .& (magnitude(x) .< lanes(limit))
        }
        let isSound = all(areSound) && (whole..<range.count).allSatisfy { abs(values[$0]) < limit }
        guard !isSound, let bad = (0..<range.count).first(where: { !(abs(values[$0]) < limit) }) else { return }
        let element = range.lowerBound + bad
        throw .weight(
            tensor: tensor.name, row: element / columns, column: element % columns, value: values[bad],
            type: encoder.type)
    }

    private func fillWeights(_ range: Range<Int>, _ destination: UnsafeMutablePointer<Float>) {
        guard !weights.isEmpty else { return }
        let rows = tensor.dimensions.count > 1 ? tensor.dimensions[1] : 1
        let matrices = weights.count / columns
        for i in 0..<range.count {
            let element = range.lowerBound + i
            let matrix = matrices > 1 ? element / columns / rows % matrices : 0
            destination[i] = weights[matrix * columns + element % columns]
        }
    }
}

/// The memory that threads write to, each to different bytes.
private struct Destination: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
}

/// The scratch memory that a thread needs for a piece.
private struct Scratch {
    /// The numbers of a piece; uninitialised before they are read.
    let values: UnsafeMutablePointer<Float>
    /// Initially ones.
    let weights: UnsafeMutablePointer<Float>

    init(count: Int) {
        values = .allocate(capacity: count)
        weights = .allocate(capacity: count)
        weights.initialize(repeating: 1, count: count)
    }

    func deallocate() {
        values.deallocate()
        weights.deallocate()
    }
}

/// Ranges of elements, each consisting of a fixed number of pieces except for the last.
private struct Slabs {
    let all: [Range<Int>]

    init(total: Int, piece: Int, count: Int) {
        let size = piece * count
        all = stride(from: 0, to: total, by: size).map { $0..<min($0 + size, total) }
    }

    var largest: Int { all.first?.count ?? 0 }
}
