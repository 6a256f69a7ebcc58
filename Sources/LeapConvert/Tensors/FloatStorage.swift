import LeapBlocks

/// Converts numbers to the bytes of a tensor, bit-identical to llama.cpp's converter.
enum FloatStorage {
    /// Writes numbers as `F32`, `F16`, `BF16` or `Q8_0`.
    ///
    /// - Returns: The number of bytes written.
    static func store(
        _ values: UnsafePointer<Float>, count: Int, as type: GGMLType, to bytes: UnsafeMutableRawPointer
    ) -> Int {
        switch type {
        case .F16:
            for i in 0..<count {
                bytes.storeBytes(of: values[i].halfBits.littleEndian, toByteOffset: 2 * i, as: UInt16.self)
            }
            return 2 * count
        case .BF16:
            for i in 0..<count {
                bytes.storeBytes(of: values[i].brainFloatBits.littleEndian, toByteOffset: 2 * i, as: UInt16.self)
            }
            return 2 * count
        case .Q8_0:
            for block in 0..<count / BlockQ8_0.elementCount {
                storeQ8_0(values + BlockQ8_0.elementCount * block, to: bytes + BlockQ8_0.byteCount * block)
            }
            return count / BlockQ8_0.elementCount * BlockQ8_0.byteCount
        default:
            for i in 0..<count {
                bytes.storeBytes(of: values[i].bitPattern.littleEndian, toByteOffset: 4 * i, as: UInt32.self)
            }
            return 4 * count
        }
    }

    /// Writes a block. Codes are computed with the scale before it is rounded to half precision; ties round away from zero.
    private static func storeQ8_0(_ values: UnsafePointer<Float>, to block: UnsafeMutableRawPointer) {
        var largest: Float = 0
        for i in 0..<BlockQ8_0.elementCount { largest = max(largest, abs(values[i])) }
        let scale = largest / 127
        let inverse = scale == 0 ? 0 : 1 / scale
        block.storeBytes(of: scale.halfBits.littleEndian, toByteOffset: BlockQ8_0.d, as: UInt16.self)
        for i in 0..<BlockQ8_0.elementCount {
            // For the smallest scales the reciprocal is infinite, so codes are clamped.
            let product = max(-127, min(127, values[i] * inverse))
            let code = Int8(product.rounded(.toNearestOrAwayFromZero))
            block.storeBytes(of: code, toByteOffset: BlockQ8_0.qs + i, as: Int8.self)
        }
    }
}
