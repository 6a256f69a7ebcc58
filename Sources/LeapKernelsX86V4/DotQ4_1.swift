import LeapBlocks

/// `Q4_1`: the quants of `Q4_0` with a minimum in place of the zero point.
private enum Q4_1: MinimumBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockQ4_1.byteCount }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        (
            nibbles(blocks, 0, BlockQ4_1.qs), nibbles(blocks, 2, BlockQ4_1.qs),
            halves(BlockQ4_1.d, of: blocks), halves(BlockQ4_1.m, of: blocks)
        )
    }
}

let dotQ4_1: DotKernel = { dotBlocks(Q4_1.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
