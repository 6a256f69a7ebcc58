#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

// Not inlined: inlined into its C entry point, so short a function would call the half-precision conversion instead of
// containing it, because the compiler inlines nothing further into such a thunk.
/// The values of `Q8_0`; see ``BlockQ8_0``.
@inline(never)
func dequantizeQ8_0(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ8_0.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ8_0.d)
        let qs = block.signed(BlockQ8_0.qs)
        for i in 0..<32 { values[i] = d * Float(qs[i]) }
    }
}
#endif
