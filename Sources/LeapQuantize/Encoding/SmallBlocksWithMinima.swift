import LeapBlocks

// Blocks of 32 elements with a scale and a minimum of half precision.

enum EncoderQ4_1: BlockEncoder {
    static let steps = OffsetSteps(highest: 15, cuts: OffsetSteps.fewCuts, keepsZero: false)

    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let line = steps.halves(group)
        withCodes(32) { codes in
            steps.write(group, line, to: codes)
            block.setHalf(line.scale, BlockQ4_1.d)
            block.setHalf(line.minimum, BlockQ4_1.m)
            block.setNibbles(codes, BlockQ4_1.qs)
        }
    }
}

enum EncoderQ5_1: BlockEncoder {
    static let steps = OffsetSteps(highest: 31, cuts: OffsetSteps.fewCuts, keepsZero: false)

    static func encode(_ group: WeightedGroup, to block: UnsafeMutableRawPointer) {
        let line = steps.halves(group)
        withCodes(32) { codes in
            steps.write(group, line, to: codes)
            block.setHalf(line.scale, BlockQ5_1.d)
            block.setHalf(line.minimum, BlockQ5_1.m)
            block.setFifthBits(codes, BlockQ5_1.qh)
            block.setNibbles(codes, BlockQ5_1.qs)
        }
    }
}

extension OffsetSteps {
    /// Cuts for 16 or more codes, whose steps are fine: a little off either end, or beyond it.
    static let fewCuts: [(lower: Float, upper: Float)] = grid([-0.02, 0, 0.02, 0.05])
    /// Cuts for four codes.
    static let manyCuts: [(lower: Float, upper: Float)] = grid([-0.08, 0, 0.08, 0.16, 0.24])

    private static func grid(_ shares: [Float]) -> [(lower: Float, upper: Float)] {
        shares.flatMap { lower in shares.map { (lower, $0) } }
    }

    /// The line, in half precision.
    @inline(__always)
    func halves(_ group: WeightedGroup) -> Line {
        let line = line(group)
        return Line(scale: half(line.scale), minimum: half(line.minimum))
    }
}
