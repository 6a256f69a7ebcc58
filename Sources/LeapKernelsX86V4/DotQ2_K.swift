#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q2_K`: 16 groups of 16 elements; each byte of `scales` has a group's scale in its low half and its minimum in its
/// high half.
let dotQ2_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ2_K.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    let scales = _mm256_cvtepu8_epi16(bytes16(block + BlockQ2_K.scales))
    return (
        bitPairs(block + BlockQ2_K.qs), spreadScales(scales & Bytes32(repeating: 0x000F_000F_000F_000F)),
        _mm512_castsi256_si512(_mm256_srli_epi16(scales, 4)),
        loadHalf(block + BlockQ2_K.d), loadHalf(block + BlockQ2_K.dmin)
    )
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ2_K: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 16) { rows in
        setBitPairs(rows, qs: BlockQ2_K.qs)
        setFineScales(rows) { block in
            let d = loadHalf(block + BlockQ2_K.d)
            let bytes = _mm512_cvtepu8_epi32(bytes16(block + BlockQ2_K.scales))
            return scaled(bytes & Bytes64(repeating: 0x0000_000F_0000_000F), d, d)
        }
        setMinima(rows, groups: 16) { block in
            let scales = _mm256_cvtepu8_epi16(bytes16(block + BlockQ2_K.scales))
            return (_mm256_srli_epi16(scales, 4), -loadHalf(block + BlockQ2_K.dmin))
        }
    }
}
#endif
