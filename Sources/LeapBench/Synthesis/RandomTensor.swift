import LeapBlocks
import LeapGGUF
import LeapGeneration
import LeapToolSupport

extension TensorShape {
    /// Writes random weights with the deviation `1 / √columns`.
    ///
    /// - Parameters:
    ///   - index: The tensor's index in its file: every tensor has its own random sequence, so that changing one leaves
    ///     the others unchanged.
    ///   - buffer: Memory for generating the data.
    func appendRandom(
        _ type: GGMLType, seed: UInt64, index: Int, _ buffer: UnsafeMutableRawBufferPointer, to output: GGUFOutput
    ) throws {
        guard let blocks = RandomBlocks(type, deviation: 1 / Float(columns).squareRoot()) else {
            throw CommandError("\(name): cannot make random weights of type \(type.name)")
        }
        var random = SplitMix64(seed: seed &+ UInt64(index) &* 0xD129_0D3A_5A4C_8F6B)
        let blocksPerPiece = buffer.count / type.bytesPerBlock
        var left = elementCount / type.elementsPerBlock
        while left > 0 {
            let count = min(left, blocksPerPiece)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<(count * type.bytesPerBlock)])
            blocks.fill(piece, &random)
            try output.append(UnsafeRawBufferPointer(piece))
            left -= count
        }
    }
}

extension RandomBlocks {
    /// Memory for generating data, which the caller frees.
    static func makeBuffer() -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: 1 << 20, alignment: 64)
    }
}
