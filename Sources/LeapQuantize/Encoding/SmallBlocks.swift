import LeapBlocks

// Blocks of 32 elements with one scale of half precision.

enum EncoderQ4_0: BlockEncoder {
    static let steps = SymmetricSteps(lowest: -8, highest: 7, inside: 2, outside: 1, count: 13)

    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let scale = half(steps.scale(group))
        withCodes(32) { codes in
            steps.write(group, scale: scale, to: codes)
            block.setHalf(scale, BlockQ4_0.d)
            block.setNibbles(codes, BlockQ4_0.qs)
        }
    }
}

enum EncoderQ5_0: BlockEncoder {
    static let steps = SymmetricSteps(lowest: -16, highest: 15, inside: 2, outside: 0.5, count: 11)

    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let scale = half(steps.scale(group))
        withCodes(32) { codes in
            steps.write(group, scale: scale, to: codes)
            block.setHalf(scale, BlockQ5_0.d)
            block.setFifthBits(codes, BlockQ5_0.qh)
            block.setNibbles(codes, BlockQ5_0.qs)
        }
    }
}

enum EncoderQ8_0: BlockEncoder {
    static let steps = SymmetricSteps(lowest: -127, highest: 127, inside: 0, outside: 0, count: 1)

    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let scale = half(abs(group.extreme) / 127)
        withCodes(32) { codes in
            steps.write(group, scale: scale, to: codes)
            block.setHalf(scale, BlockQ8_0.d)
            // Written from 0 to 254.
            for i in 0..<32 { block.setByte(Int(codes[i]) - 127, BlockQ8_0.qs + i) }
        }
    }
}

/// Hands scratch memory for codes to a closure.
@inline(__always)
func withCodes(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
        if let base = buffer.baseAddress { body(base) }
    }
}
