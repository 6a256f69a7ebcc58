#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q4_0`; see ``BlockQ4_0``.
func dequantizeQ4_0(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ4_0.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ4_0.d)
        let qs = block.unsigned(BlockQ4_0.qs)
        for i in 0..<16 {
            values[i] = d * Float(Int32(qs[i] & 15) - 8)
            values[i + 16] = d * Float(Int32(qs[i] >> 4) - 8)
        }
    }
}
#endif
