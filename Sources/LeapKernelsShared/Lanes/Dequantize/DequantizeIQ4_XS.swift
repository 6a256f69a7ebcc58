#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `IQ4_XS`; see ``BlockIQ4_XS``.
func dequantizeIQ4_XS(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockIQ4_XS.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockIQ4_XS.d)
        let scales = iq4XSScales(block)
        for group in 0..<8 {
            let scale = d * Float(scales[group])
            let qs = block.unsigned(BlockIQ4_XS.qs + 16 * group)
            let output = values + 32 * group
            for i in 0..<16 {
                output[i] = scale * nonLinearStep(qs[i] & 15)
                output[i + 16] = scale * nonLinearStep(qs[i] >> 4)
            }
        }
    }
}

/// The 8 scales of an `IQ4_XS` block, −32 … 31.
@inline(__always)
func iq4XSScales(_ block: UnsafeRawPointer) -> SIMD8<Int16> {
    let low = block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesLow, as: UInt32.self)
    let high = block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesHigh, as: UInt16.self)
    var scales = SIMD8<Int16>()
    for group in 0..<8 {
        let (l, h) = (low &>> UInt32(4 * group) & 15, UInt32(high) &>> UInt32(2 * group) & 3)
        scales[group] = Int16(truncatingIfNeeded: l | h << 4) - 32
    }
    return scales
}
#endif
