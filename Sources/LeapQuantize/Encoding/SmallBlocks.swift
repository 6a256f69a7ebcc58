import LeapBlocks

// Blocks of 32 elements with one half-precision scale, four blocks at a time.

enum EncoderQ4_0: BlockEncoder {
    static let isQuick = true
    /// The targets include the lowest code, which the quick encoding uses.
    static let steps = SymmetricSteps(lowest: -8, highest: 7, inside: 1.5, outside: 1, count: 6)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        fourAtATime(values, weights, blocks: blocks) { batch, codes, first, count in
            let scales = half(steps.scales(batch))
            steps.write(batch, scale: scales, to: codes)
            for i in 0..<count {
                let block = bytes + (first + i) * BlockQ4_0.byteCount
                block.setHalf(scales[i], BlockQ4_0.d)
                block.setNibbles(codes + 32 * i, BlockQ4_0.qs)
            }
        }
    }
}

enum EncoderQ5_0: BlockEncoder {
    static let isQuick = true
    /// The targets include the lowest code, which the quick encoding uses.
    static let steps = SymmetricSteps(lowest: -16, highest: 15, inside: 1.5, outside: 0.5, count: 5)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        fourAtATime(values, weights, blocks: blocks) { batch, codes, first, count in
            let scales = half(steps.scales(batch))
            steps.write(batch, scale: scales, to: codes)
            for i in 0..<count {
                let block = bytes + (first + i) * BlockQ5_0.byteCount
                block.setHalf(scales[i], BlockQ5_0.d)
                block.setFifthBits(codes + 32 * i, BlockQ5_0.qh)
                block.setNibbles(codes + 32 * i, BlockQ5_0.qs)
            }
        }
    }
}

enum EncoderIQ4_NL: BlockEncoder {
    static let table = StepTable(BlockIQ4_NL.steps)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        let table = table
        fourAtATime(values, weights, blocks: blocks) { batch, codes, first, count in
            let scales = half(table.scales(batch))
            table.write(batch, scale: scales, to: codes)
            for i in 0..<count {
                let block = bytes + (first + i) * BlockIQ4_NL.byteCount
                block.setHalf(scales[i], BlockIQ4_NL.d)
                block.setNibbles(codes + 32 * i, BlockIQ4_NL.qs)
            }
        }
    }
}

/// Passes four blocks of 32 elements at a time to a closure, with scratch memory for their codes, the index of the
/// first block, and the number of blocks.
@inline(__always)
func fourAtATime(
    _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int,
    _ body: (_ batch: GroupBatch, _ codes: UnsafeMutablePointer<UInt8>, _ first: Int, _ count: Int) -> Void
) {
    GroupBatch.withScratch(1, count: 32) { batch in
        withCodes(GroupBatch.groups * 32) { codes in
            for first in stride(from: 0, to: blocks, by: GroupBatch.groups) {
                let count = min(GroupBatch.groups, blocks - first)
                batch(0).fill(values + 32 * first, weights + 32 * first, groups: count)
                body(batch(0), codes, first, count)
            }
        }
    }
}

/// Passes scratch memory for codes to a closure.
@inline(__always)
func withCodes(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
        if let base = buffer.baseAddress { body(base) }
    }
}
