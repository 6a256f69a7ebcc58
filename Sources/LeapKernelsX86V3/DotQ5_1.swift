import LeapBlocks

/// `Q5_1`: the quants of `Q5_0` with a minimum in place of the zero point.
private enum Q5_1: MinimumBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockQ5_1.byteCount }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        let quants = (
            quants(block(0, of: blocks)), quants(block(1, of: blocks)),
            quants(block(2, of: blocks)), quants(block(3, of: blocks))
        )
        return (quants, halves(BlockQ5_1.d, of: blocks), halves(BlockQ5_1.m, of: blocks))
    }

    @inline(__always)
    private static func quants(_ block: UnsafeRawPointer) -> Bytes32 {
        fiveBits(block + BlockQ5_1.qs, block + BlockQ5_1.qh)
    }
}

let dotQ5_1: DotKernel = { dotBlocks(Q5_1.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
