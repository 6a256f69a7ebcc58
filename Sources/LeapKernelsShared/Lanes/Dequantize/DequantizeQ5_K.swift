#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q5_K`; see ``BlockQ5_K``.
func dequantizeQ5_K(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ5_K.self, source, destination, blocks) { block, values in
        let (d, dmin) = (loadHalf(block + BlockQ5_K.d), loadHalf(block + BlockQ5_K.dmin))
        let groups = unpackedSixBitScales(block + BlockQ5_K.scales)
        let qh = block.unsigned(BlockQ5_K.qh)
        for group in 0..<8 {
            let scale = d * Float(byte(group, of: groups.scales))
            let minimum = dmin * Float(byte(group, of: groups.minima))
            let qs = block.unsigned(BlockQ5_K.qs + group / 2 * 32)
            let shift = UInt8(truncatingIfNeeded: group % 2 * 4)
            let bit = UInt8(truncatingIfNeeded: group)
            for i in 0..<32 {
                let quant = qs[i] &>> shift & 15 | (qh[i] &>> bit & 1) &<< 4
                values[32 * group + i] = scale * Float(quant) - minimum
            }
        }
    }
}
#endif
