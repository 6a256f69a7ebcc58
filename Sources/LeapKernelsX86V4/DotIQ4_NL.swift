import LeapBlocks

/// `IQ4_NL`: step indices laid out as the quants of `Q4_0`.
private enum IQ4_NL: OffsetBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockIQ4_NL.byteCount }
    @inline(__always)
    static var zero: UInt8 { 128 }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        (
            raisedSteps(nibbles(blocks, 0, BlockIQ4_NL.qs)), raisedSteps(nibbles(blocks, 2, BlockIQ4_NL.qs)),
            halves(BlockIQ4_NL.d, of: blocks), SIMD4(repeating: 0)
        )
    }
}

let dotIQ4_NL: DotKernel = { dotBlocks(IQ4_NL.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
