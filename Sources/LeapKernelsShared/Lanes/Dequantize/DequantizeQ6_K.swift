#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q6_K`; see ``BlockQ6_K``.
func dequantizeQ6_K(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ6_K.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ6_K.d)
        let scales = block.signed(BlockQ6_K.scales)
        for group in 0..<16 {
            let scale = d * Float(scales[group])
            let (half, quarter, side) = (group / 8, group % 8 / 2, group % 2)
            let ql = block.unsigned(BlockQ6_K.ql + 64 * half + quarter % 2 * 32 + side * 16)
            let qh = block.unsigned(BlockQ6_K.qh + 32 * half + side * 16)
            let (lowShift, highShift) = (
                UInt8(truncatingIfNeeded: quarter / 2 * 4), UInt8(truncatingIfNeeded: quarter * 2)
            )
            for i in 0..<16 {
                let quant = ql[i] &>> lowShift & 15 | (qh[i] &>> highShift & 3) &<< 4
                values[16 * group + i] = scale * Float(Int32(quant) - 32)
            }
        }
    }
}
#endif
