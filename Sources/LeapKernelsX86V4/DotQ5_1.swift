import LeapBlocks

/// `Q5_1`: the quants of `Q5_0` with a minimum in place of the zero point.
private enum Q5_1: MinimumBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockQ5_1.byteCount }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        (
            fiveBits(blocks, 0, BlockQ5_1.qs, BlockQ5_1.qh), fiveBits(blocks, 2, BlockQ5_1.qs, BlockQ5_1.qh),
            halves(BlockQ5_1.d, of: blocks), halves(BlockQ5_1.m, of: blocks)
        )
    }
}

let dotQ5_1: DotKernel = { dotBlocks(Q5_1.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
