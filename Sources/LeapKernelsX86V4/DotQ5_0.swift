import LeapBlocks

/// `Q5_0`: the quants of `Q4_0`, and 32 bits that are the fifth bits of the elements in order.
private enum Q5_0: OffsetBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockQ5_0.byteCount }
    @inline(__always)
    static var zero: UInt8 { 16 }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        (
            fiveBits(blocks, 0, BlockQ5_0.qs, BlockQ5_0.qh), fiveBits(blocks, 2, BlockQ5_0.qs, BlockQ5_0.qh),
            halves(BlockQ5_0.d, of: blocks), SIMD4(repeating: 0)
        )
    }
}

let dotQ5_0: DotKernel = { dotBlocks(Q5_0.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
