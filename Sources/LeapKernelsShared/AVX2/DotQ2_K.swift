#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q2_K`: 16 groups of 16 elements; each byte of `scales` has a group's scale in its low nibble and its minimum in its
/// high nibble.
let dotQ2_K: DotKernel = {
    dotMinimumSuperBlocks(($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ2_K.byteCount, unpack: unpack)
}

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> MinimumSuperBlock {
    let (scales, minima) = scalesAndMinima(block)
    return (
        bitPairs(block + BlockQ2_K.qs), _mm256_cvtepu8_epi16(evenThenOdd(scales)), _mm256_cvtepu8_epi16(minima),
        loadHalf(block + BlockQ2_K.d), loadHalf(block + BlockQ2_K.dmin)
    )
}

@inline(__always)
private func scalesAndMinima(_ block: UnsafeRawPointer) -> (scales: Bytes16, minima: Bytes16) {
    let bytes = bytes16(block + BlockQ2_K.scales)
    let halves = Bytes16(repeating: 0x0F0F_0F0F_0F0F_0F0F)
    return (bytes & halves, _mm_srli_epi16(bytes, 4) & halves)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ2_K: UnpackKernel = {
    unpackSuperBlockTile(($0, $1, $2, $3, $4), groups: 16, hasMinima: true) { block in
        let (scales, minima) = scalesAndMinima(block)
        return (
            bitPairs(block + BlockQ2_K.qs), scales, minima, loadHalf(block + BlockQ2_K.d),
            loadHalf(block + BlockQ2_K.dmin)
        )
    }
}
#endif
