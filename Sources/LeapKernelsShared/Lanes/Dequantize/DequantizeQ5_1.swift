#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q5_1`; see ``BlockQ5_1``.
func dequantizeQ5_1(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ5_1.self, source, destination, blocks) { block, values in
        let (d, m) = (loadHalf(block + BlockQ5_1.d), loadHalf(block + BlockQ5_1.m))
        let (qs, qh) = (block.unsigned(BlockQ5_1.qs), fifthBits(block + BlockQ5_1.qh))
        for i in 0..<16 {
            values[i] = d * Float(Int32(qs[i] & 15) | fifthBit(qh, i)) + m
            values[i + 16] = d * Float(Int32(qs[i] >> 4) | fifthBit(qh, i + 16)) + m
        }
    }
}
#endif
