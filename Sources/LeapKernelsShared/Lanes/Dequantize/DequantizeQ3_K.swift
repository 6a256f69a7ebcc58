#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q3_K`; see ``BlockQ3_K``.
func dequantizeQ3_K(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ3_K.self, source, destination, blocks) { block, values in
        let d = loadHalf(block + BlockQ3_K.d)
        let scales = q3KScales(block + BlockQ3_K.scales)
        for group in 0..<16 {
            let scale = d * Float(scales[group])
            let qs = block.unsigned(BlockQ3_K.qs + group / 8 * 32 + group % 2 * 16)
            let hmask = block.unsigned(BlockQ3_K.hmask + group % 2 * 16)
            let shift = UInt8(truncatingIfNeeded: group % 8 / 2 * 2)
            let bit = UInt8(truncatingIfNeeded: group / 2)
            for i in 0..<16 {
                let quant = qs[i] &>> shift & 3 | (hmask[i] &>> bit & 1) &<< 2
                values[16 * group + i] = scale * Float(Int32(quant) - 4)
            }
        }
    }
}

/// The 16 scales of a `Q3_K` block, −32 … 31, from their 12 bytes `[low 0 … 7, low 8 … 15 above them | high]`.
@inline(__always)
func q3KScales(_ source: UnsafeRawPointer) -> SIMD16<Int8> {
    let low = UInt64(littleEndian: source.loadUnaligned(as: UInt64.self))
    let high = UInt64(UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
    // Byte j of the high bits holds those of scales j, j + 4, j + 8 and j + 12.
    let twice = high | (high >> 2) << 32
    let fourBits: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
    let twoBits: UInt64 = 0x0303_0303_0303_0303
    let first = low & fourBits | (twice & twoBits) << 4
    let last = (low >> 4) & fourBits | ((twice >> 4) & twoBits) << 4
    return unsafeBitCast(SIMD2(first, last), to: SIMD16<Int8>.self) &- SIMD16(repeating: 32)
}
#endif
