import LeapBlocks
import LeapKernels
import _LeapTestSupport

/// One call of a dot kernel on guarded operands.
struct DotCase {
    let type: GGMLType
    let blocks: Int
    var rows = 3
    var columns = 2
    /// Bytes and floats that lie unused between rows.
    var padding = 0
    let content: Content

    /// Fills memory that a kernel must not touch.
    static let sentinel: Float = -7.25e17

    /// The operands of a case and what the kernel wrote.
    struct Outcome {
        let weights: GuardedBuffer
        let weightStride: Int
        let activations: GuardedBuffer
        let activationStride: Int
        let output: GuardedBuffer
        let outputStride: Int
    }

    /// Calls the kernel of a level.
    func run(_ table: KernelTable, seed: UInt64 = 1) throws -> Outcome {
        let outcome = try operands(table, seed: seed)
        let kernel = try require(table[type]).dot
        kernel(
            outcome.weights.start, outcome.weightStride, rows, outcome.activations.start, outcome.activationStride,
            columns, blocks, outcome.output.floats, outcome.outputStride)
        return outcome
    }

    /// The operands, and an output that has not been written to.
    func operands(_ table: KernelTable, seed: UInt64) throws -> Outcome {
        var generator = SeededRandomNumberGenerator(seed: seed)
        let weightBytes = blocks * type.bytesPerBlock
        let weights = GuardedBuffer(
            bytes: padded(rows, weightBytes) { content.weights(type, blocks: blocks, &generator) })
        let quantized = try (0..<columns).map { _ in try activationRow(table, &generator) }
        let activationBytes = quantized.first?.count ?? 0
        var next = quantized.makeIterator()
        let activations = GuardedBuffer(bytes: padded(columns, activationBytes) { next.next() ?? [] })
        let outputStride = rows + padding
        let outputCount = columns == 0 ? 0 : (columns - 1) * outputStride + rows
        let output = GuardedBuffer(floats: [Float](repeating: Self.sentinel, count: outputCount))
        return Outcome(
            weights: weights, weightStride: weightBytes + padding, activations: activations,
            activationStride: activationBytes + padding, output: output, outputStride: outputStride)
    }

    private func activationRow(
        _ table: KernelTable, _ generator: inout SeededRandomNumberGenerator
    ) throws -> [UInt8] {
        let row = content.activations(blocks * type.elementsPerBlock, &generator)
        let activationType = try require(type.activationType)
        if activationType == .F32 { return row.flatMap(GGMLType.F32.bytes(of:)) }
        let quantized = GuardedBuffer(count: blocks * activationType.bytesPerBlock)
        try require(table.quantizer(to: activationType))(row, quantized.start, blocks)
        return quantized.bytes
    }

    /// Rows with padding between them and none after the last.
    private func padded(_ rows: Int, _ rowBytes: Int, _ row: () -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for i in 0..<rows {
            if i > 0 { bytes += [UInt8](repeating: 0xFF, count: padding) }
            bytes += row()
        }
        return bytes
    }

    /// A description of results that differ from the scalar reference by more than rounding, or of writes outside the
    /// result.
    ///
    /// - Parameters:
    ///   - additions: The number of float additions; one for each block if `nil`.
    ///   - words: Whether the numbers are rounded to 16 bits first.
    func complaint(
        _ outcome: Outcome, exact: Bool = false, additions: Int? = nil, words: Bool = false
    ) -> String? {
        var written = outcome.output.floatArray
        for c in 0..<columns {
            for r in 0..<rows {
                let reference = ReferenceDot(
                    type, outcome.weights.start + r * outcome.weightStride,
                    outcome.activations.start + c * outcome.activationStride, blocks: blocks)
                let found = written[c * outcome.outputStride + r]
                written[c * outcome.outputStride + r] = Self.sentinel
                let rounding = reference.bound(additions: additions ?? blocks) + (words ? reference.wordBound : 0)
                let bound = exact ? 0 : rounding
                let isClose = abs(Double(found) - reference.value) <= bound
                if !isClose { return "\(self): row \(r), column \(c): \(found), expected \(reference.value)" }
            }
        }
        return written.allSatisfy { $0 == Self.sentinel } ? nil : "\(self): wrote outside the result"
    }
}

/// Unwraps a value that a level is expected to have.
func require<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw MissingKernel() }
    return value
}

/// A level lacks a function.
struct MissingKernel: Error {}

/// A level's functions, for tests whose arguments are levels.
func kernels(_ level: KernelLevel) throws -> KernelTable { try require(Kernels.table(for: level)) }

/// The levels that this machine can run.
let levels = Kernels.available.map(\.level)
