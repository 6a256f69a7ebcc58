#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `MXFP4`; see ``BlockMXFP4``.
func dequantizeMXFP4(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockMXFP4.self, source, destination, blocks) { block, values in
        let scale = halvedScale(block + BlockMXFP4.e)
        let qs = block.unsigned(BlockMXFP4.qs)
        for i in 0..<16 {
            values[i] = scale * doubledE2M1(qs[i] & 15)
            values[i + 16] = scale * doubledE2M1(qs[i] >> 4)
        }
    }
}

/// Half the power of two that the biased exponent at `source` encodes, 2^(e − 128); the two smallest are subnormal.
@inline(__always)
func halvedScale(_ source: UnsafeRawPointer) -> Float {
    let exponent = UInt32(source.load(as: UInt8.self))
    return Float(bitPattern: exponent < 2 ? 0x20_0000 << exponent : (exponent - 1) << 23)
}

/// Twice the value of an E2M1 code.
@inline(__always)
func doubledE2M1(_ code: UInt8) -> Float {
    let doubled = SIMD16<Float>(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12)
    return doubled[Int(code)]
}
#endif
