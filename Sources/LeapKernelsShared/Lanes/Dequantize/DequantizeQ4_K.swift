#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// The values of `Q4_K`; see ``BlockQ4_K``.
func dequantizeQ4_K(_ source: UnsafeRawPointer, _ destination: UnsafeMutablePointer<Float>, _ blocks: Int) {
    forEachBlock(of: BlockQ4_K.self, source, destination, blocks) { block, values in
        let (d, dmin) = (loadHalf(block + BlockQ4_K.d), loadHalf(block + BlockQ4_K.dmin))
        let groups = unpackedSixBitScales(block + BlockQ4_K.scales)
        for group in 0..<8 {
            let scale = d * Float(byte(group, of: groups.scales))
            let minimum = dmin * Float(byte(group, of: groups.minima))
            let qs = block.unsigned(BlockQ4_K.qs + group / 2 * 32)
            let shift = UInt8(truncatingIfNeeded: group % 2 * 4)
            for i in 0..<32 { values[32 * group + i] = scale * Float(qs[i] &>> shift & 15) - minimum }
        }
    }
}

/// The scales and minima of `SixBitScales`, one byte each, group 0 in the lowest byte.
///
/// All are unpacked at once: the 12 bytes are three words of four bytes. For groups 4 … 7, the third word holds the
/// lower four bits, and the top two bits of each byte of the other words are the upper two.
@inline(__always)
func unpackedSixBitScales(_ source: UnsafeRawPointer) -> (scales: UInt64, minima: UInt64) {
    let first = UInt32(littleEndian: source.loadUnaligned(as: UInt32.self))
    let second = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    let third = UInt32(littleEndian: source.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    let upperScales = third & 0x0F0F_0F0F | (first >> 2) & 0x3030_3030
    let upperMinima = (third >> 4) & 0x0F0F_0F0F | (second >> 2) & 0x3030_3030
    return (
        scales: UInt64(first & 0x3F3F_3F3F) | UInt64(upperScales) << 32,
        minima: UInt64(second & 0x3F3F_3F3F) | UInt64(upperMinima) << 32
    )
}

/// Byte `index` of eight.
@inline(__always)
func byte(_ index: Int, of bytes: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: bytes &>> UInt64(8 * index)) }
#endif
