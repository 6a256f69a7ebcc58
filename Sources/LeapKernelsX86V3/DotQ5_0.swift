import LeapBlocks

/// `Q5_0`: the quants of `Q4_0`, and 32 bits that are the fifth bits of the elements in order.
private enum Q5_0: OffsetBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockQ5_0.byteCount }
    @inline(__always)
    static var zero: UInt8 { 16 }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        let quants = (
            quants(block(0, of: blocks)), quants(block(1, of: blocks)),
            quants(block(2, of: blocks)), quants(block(3, of: blocks))
        )
        return (quants, halves(BlockQ5_0.d, of: blocks), SIMD4(repeating: 0))
    }

    @inline(__always)
    private static func quants(_ block: UnsafeRawPointer) -> Bytes32 {
        fiveBits(block + BlockQ5_0.qs, block + BlockQ5_0.qh)
    }
}

let dotQ5_0: DotKernel = { dotBlocks(Q5_0.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
