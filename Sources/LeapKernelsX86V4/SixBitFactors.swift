#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// Stores scales, minima and factors of blocks that begin like `Q4_K`'s in a tile.
@inline(__always)
func setSixBitFactors(_ rows: RowsOfSlab) {
    transpose {
        sixBitFactors(header: bytes16(source($0, rows)))
    } _: { word, factors in
        switch word {
        case 0..<4: store(factors, to: rows.half + (WeightTile.scales &+ word &* weightVectors))
        case 4..<8: store(factors, to: rows.half + (WeightTile.minima &+ (word &- 4) &* weightVectors))
        case 8: store(factors, to: rows.half + (WeightTile.scales &+ 4 &* weightVectors))
        case 9: store(factors, to: rows.half + (WeightTile.minima &+ 4 &* weightVectors))
        default: return
        }
    }
}

/// For a tile of blocks that begin like `Q4_K`'s: 16-bit scales, the second of two groups first, in four lanes; 16-bit
/// minima in four lanes; then `d` and `−dmin`.
@inline(__always)
private func sixBitFactors(header: Bytes16) -> Bytes64 {
    let groups = _mm_shuffle_epi8(
        sixBitScales(header), Bytes16(0x0607_0405_0203_0001, 0x0F0E_0D0C_0B0A_0908))
    let factors = unsafeBitCast(
        _mm_cvtph_ps(header) * SIMD4<Float>(1, -1, 0, 0), to: Bytes16.self)
    return join(_mm256_cvtepu8_epi16(groups), _mm256_castsi128_si256(factors))
}
#endif
