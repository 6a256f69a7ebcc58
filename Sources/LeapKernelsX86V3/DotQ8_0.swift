import LeapBlocks

/// `Q8_0`: signed bytes as they are.
private enum Q8_0: SignedBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockQ8_0.byteCount }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        (quants(blocks, BlockQ8_0.qs), halves(BlockQ8_0.d, of: blocks), SIMD4(repeating: 0))
    }
}

let dotQ8_0: DotKernel = { dotBlocks(Q8_0.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
