#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q2_K`; see ``BlockQ2_K``.
func dequantizeQ2_K(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ2_K.self, source, destination, blocks) { block, values in
        let (d, dmin) = (loadHalf(block + BlockQ2_K.d), loadHalf(block + BlockQ2_K.dmin))
        let scales = block.unsigned(BlockQ2_K.scales)
        for group in 0..<16 {
            let scale = d * Float(scales[group] & 15)
            let minimum = dmin * Float(scales[group] >> 4)
            let qs = block.unsigned(BlockQ2_K.qs + group / 8 * 32 + group % 2 * 16)
            let shift = UInt8(truncatingIfNeeded: group % 8 / 2 * 2)
            for i in 0..<16 { values[16 * group + i] = scale * Float(qs[i] &>> shift & 3) - minimum }
        }
    }
}
#endif
