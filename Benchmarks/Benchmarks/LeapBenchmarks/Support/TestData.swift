import Foundation
import LeapBlocks
import _LeapTestSupport

/// Operands of typical size and content: ordinary values affect neither branches nor speed, but an operand full of NaN
/// or zeros might.
enum TestData {
    /// The types that a weight matrix may have.
    static let weightTypes = GGMLType.allCases.filter(\.isSupportedWeight)

    /// `rows` rows of `columns` weights: the blocks of `Fixtures/blocks`, repeated.
    static func weights(_ type: GGMLType, rows: Int, columns: Int) throws -> AlignedBytes {
        guard let rowBytes = type.byteCount(elements: columns) else {
            throw MissingData("rows of \(columns) elements of \(type)")
        }
        let pattern = try blocks(of: type)
        let count = rowBytes * rows
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + pattern.count)
        while bytes.count < count { bytes += pattern }
        return AlignedBytes(bytes.prefix(count))
    }

    private static func blocks(of type: GGMLType) throws -> [UInt8] {
        guard type != .F32 else { return bytes(floats(count: 1024)) }
        return try [UInt8](Data(contentsOf: Fixture.folder.appending(path: "blocks/\(type).raw.bin")))
    }

    /// Numbers between −1 and 1, the same in every run.
    static func floats(count: Int) -> [Float] {
        var generator = SeededRandomNumberGenerator(seed: 1)
        return generator.floats(count)
    }

    /// `rows` rows of `width` floats in the activation type that weights of `type` are multiplied by.
    static func activations(for type: GGMLType, _ kernels: KernelTable, rows: Int, width: Int) throws -> AlignedBytes {
        let floats = floats(count: rows * width)
        guard let activationType = type.activationType else { throw MissingData("an activation type for \(type)") }
        guard activationType != .F32 else { return AlignedBytes(bytes(floats)) }
        guard let quantize = kernels.quantizer(to: activationType),
            let size = activationType.byteCount(elements: floats.count)
        else { throw MissingData("a quantizer to \(activationType)") }
        let result = AlignedBytes(repeatElement(0, count: size))
        quantize(floats, result.base, floats.count / activationType.elementsPerBlock)
        return result
    }

    /// English prose: `Fixtures/prose.txt`, repeated.
    static func prose(bytes: Int) throws -> [UInt8] {
        let text = try Data(contentsOf: Fixture.folder.appending(path: "prose.txt"))
        guard !text.isEmpty else { throw MissingData("prose.txt") }
        var result: [UInt8] = []
        while result.count < bytes { result += text }
        return Array(result.prefix(bytes))
    }

    private static func bytes(_ floats: [Float]) -> [UInt8] { floats.withUnsafeBytes(Array.init) }
}

/// Data that a benchmark needs is missing.
struct MissingData: Error, CustomStringConvertible {
    let description: String
    init(_ what: String) { description = "cannot run the benchmark: missing \(what)" }
}
