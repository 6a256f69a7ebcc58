#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q4_1`; see ``BlockQ4_1``.
func dequantizeQ4_1(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ4_1.self, source, destination, blocks) { block, values in
        let (d, m) = (loadHalf(block + BlockQ4_1.d), loadHalf(block + BlockQ4_1.m))
        let qs = block.unsigned(BlockQ4_1.qs)
        for i in 0..<16 {
            values[i] = d * Float(qs[i] & 15) + m
            values[i + 16] = d * Float(qs[i] >> 4) + m
        }
    }
}
#endif
