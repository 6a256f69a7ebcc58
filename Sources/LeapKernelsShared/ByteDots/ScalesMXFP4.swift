#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
import LeapBlocks

/// Half the powers of two that the biased exponents of four `MXFP4` blocks encode, 2^(e − 128); 0 for blocks that do
/// not exist.
@inline(__always)
func halvedScales(_ blocks: BlockQuartet) -> SIMD4<Float> {
    let exponents = SIMD4(
        exponent(block(0, of: blocks)), exponent(block(1, of: blocks)),
        exponent(block(2, of: blocks)), exponent(block(3, of: blocks)))
    return existing(halvedPowers(exponents), of: blocks)
}

@inline(__always)
private func exponent(_ block: UnsafeRawPointer) -> Int32 {
    Int32(block.load(fromByteOffset: BlockMXFP4.e, as: UInt8.self))
}
#endif
