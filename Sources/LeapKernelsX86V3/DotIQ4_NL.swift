import LeapBlocks

/// `IQ4_NL`: step indices laid out as the quants of `Q4_0`.
private enum IQ4_NL: SignedBlockFormat {
    @inline(__always)
    static var byteCount: Int { BlockIQ4_NL.byteCount }

    @inline(__always)
    static func unpack(_ blocks: BlockQuartet) -> WeightQuartet {
        let quants = (
            quants(block(0, of: blocks)), quants(block(1, of: blocks)),
            quants(block(2, of: blocks)), quants(block(3, of: blocks))
        )
        return (quants, halves(BlockIQ4_NL.d, of: blocks), SIMD4(repeating: 0))
    }

    @inline(__always)
    private static func quants(_ block: UnsafeRawPointer) -> Bytes32 {
        steps(nibbles(block + BlockIQ4_NL.qs))
    }
}

let dotIQ4_NL: DotKernel = { dotBlocks(IQ4_NL.self, ($0, $1, $2, $3, $4, $5, $6, $7, $8)) }
