import LeapBlocks

// Blocks of 32 elements with a half-precision scale and minimum, four blocks at a time.

enum EncoderQ4_1: BlockEncoder {
    static let isQuick = true
    static let steps = OffsetSteps(highest: 15, lowest: 0, cuts: OffsetSteps.fewCuts, keepsZero: false)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        fourAtATime(values, weights, blocks: blocks) { batch, codes, first, count in
            let lines = steps.halves(batch)
            steps.write(batch, lines, to: codes)
            for i in 0..<count {
                let block = bytes + (first + i) * BlockQ4_1.byteCount
                block.setHalf(lines.scale[i], BlockQ4_1.d)
                block.setHalf(lines.minimum[i], BlockQ4_1.m)
                block.setNibbles(codes + 32 * i, BlockQ4_1.qs)
            }
        }
    }
}

enum EncoderQ5_1: BlockEncoder {
    static let isQuick = true
    static let steps = OffsetSteps(highest: 31, lowest: 0, cuts: OffsetSteps.finestCuts, keepsZero: false)

    static func encode(
        _ values: UnsafePointer<Float>, _ weights: UnsafePointer<Float>, blocks: Int, to bytes: UnsafeMutableRawPointer
    ) {
        fourAtATime(values, weights, blocks: blocks) { batch, codes, first, count in
            let lines = steps.halves(batch)
            steps.write(batch, lines, to: codes)
            for i in 0..<count {
                let block = bytes + (first + i) * BlockQ5_1.byteCount
                block.setHalf(lines.scale[i], BlockQ5_1.d)
                block.setHalf(lines.minimum[i], BlockQ5_1.m)
                block.setFifthBits(codes + 32 * i, BlockQ5_1.qh)
                block.setNibbles(codes + 32 * i, BlockQ5_1.qs)
            }
        }
    }
}

extension OffsetSteps {
    /// The lines, rounded to half precision.
    @inline(__always)
    fileprivate func halves(_ batch: GroupBatch) -> Lines {
        let lines = lines(batch)
        return Lines(scale: half(lines.scale), minimum: half(lines.minimum))
    }
}
