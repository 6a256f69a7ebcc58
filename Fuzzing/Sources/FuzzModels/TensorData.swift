import LeapBlocks

/// The data of tensors.
enum TensorData {
    /// The bytes of a tensor, whose seed makes it differ from others.
    static func bytes(of tensor: Shape.Tensor, seed: Int) -> [UInt8] {
        let elements = tensor.dimensions.reduce(1, *)
        guard let count = tensor.type.byteCount(elements: elements) else { return [] }
        // Bytes from a file are used only while the tensor has the same size.
        let own = tensor.bytes.flatMap { $0.count == count ? $0 : nil }
        var bytes = own ?? sound(tensor, elements: elements, count: count, seed: seed)
        for (edit, value) in tensor.damage { damage(&bytes, edit, value) }
        return bytes
    }

    private static func sound(_ tensor: Shape.Tensor, elements: Int, count: Int, seed: Int) -> [UInt8] {
        guard tensor.type == .F32 else { return slice(of: smallBytes, count, seed) }
        return tensor.isOnes ? ones(elements) : slice(of: floats, count, 4 * seed)
    }

    /// Numbers of magnitude about 0.1, as bytes.
    private static let floats: [UInt8] = noise.flatMap { byte in
        let value = (Float(byte) - 127.5) / 600
        return withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
    }

    /// Noise in which every 16 bits are a small finite number, because some are the scales of blocks.
    private static let smallBytes: [UInt8] = noise.map { $0 & 0x2F }

    private static let noise: [UInt8] = (UInt32(0)..<4099).map {
        UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13)
    }

    private static func ones(_ count: Int) -> [UInt8] {
        (0..<count).flatMap { _ in withUnsafeBytes(of: Float(1).bitPattern.littleEndian) { Array($0) } }
    }

    /// Bytes repeated, starting at some offset.
    private static func slice(of bytes: [UInt8], _ count: Int, _ start: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count)
        var position = start % bytes.count
        while result.count < count {
            let end = min(bytes.count, position + count - result.count)
            result += bytes[position..<end]
            position = 0
        }
        return result
    }

    /// Writes a value at one position or at many.
    private static func damage(_ bytes: inout [UInt8], _ edit: Edit, _ value: [UInt8]) {
        guard bytes.count >= value.count else { return }
        let step = edit.number % 3 == 0 ? value.count : bytes.count
        let start = edit.number % 3 == 0 ? 0 : Int(edit.number) % bytes.count / value.count * value.count
        for position in stride(from: start, through: bytes.count - value.count, by: step) {
            for (offset, byte) in value.enumerated() { bytes[position + offset] = byte }
        }
    }
}
