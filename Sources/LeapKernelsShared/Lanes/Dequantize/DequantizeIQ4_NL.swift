#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `IQ4_NL`; see ``BlockIQ4_NL``.
func dequantizeIQ4_NL(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockIQ4_NL.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockIQ4_NL.d)
        let qs = block.unsigned(BlockIQ4_NL.qs)
        for i in 0..<16 {
            values[i] = d * nonLinearStep(qs[i] & 15)
            values[i + 16] = d * nonLinearStep(qs[i] >> 4)
        }
    }
}

/// The value at an index of `IQ4_NL` or `IQ4_XS`.
@inline(__always)
func nonLinearStep(_ index: UInt8) -> Float {
    let steps = SIMD16<Float>(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)
    return steps[Int(index)]
}
#endif
