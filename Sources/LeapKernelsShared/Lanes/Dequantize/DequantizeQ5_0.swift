#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q5_0`; see ``BlockQ5_0``.
func dequantizeQ5_0(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ5_0.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ5_0.d)
        let (qs, qh) = (block.unsigned(BlockQ5_0.qs), fifthBits(block + BlockQ5_0.qh))
        for i in 0..<16 {
            values[i] = d * Float((Int32(qs[i] & 15) | fifthBit(qh, i)) - 16)
            values[i + 16] = d * Float((Int32(qs[i] >> 4) | fifthBit(qh, i + 16)) - 16)
        }
    }
}

/// The 32 fifth bits of a block of `Q5_0` or `Q5_1`.
@inline(__always)
func fifthBits(_ source: UnsafeRawPointer) -> UInt32 { UInt32(littleEndian: source.loadUnaligned(as: UInt32.self)) }

/// Bit `index`, shifted to the fifth bit's position: 0 or 16.
@inline(__always)
func fifthBit(_ bits: UInt32, _ index: Int) -> Int32 {
    Int32(truncatingIfNeeded: bits &>> UInt32(truncatingIfNeeded: index) & 1) &<< 4
}
#endif
