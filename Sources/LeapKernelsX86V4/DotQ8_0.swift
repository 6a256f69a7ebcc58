#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `Q8_0`: signed bytes, made unsigned by flipping their sign bit, which adds 128. One vector holds blocks 0 and 1,
/// another blocks 2 and 3.
let dotQ8_0: DotKernel = {
    dotBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockQ8_0.byteCount,
        activationByteCount: BlockQ8_0.byteCount, unpack: unpack, prepare: prepare, accumulate: accumulate)
}

/// Four blocks of weights.
private typealias Weights = (lower: Bytes64, upper: Bytes64, d: SIMD4<Float>)

/// Four blocks of activations, with `−128 · Σ q` in the lanes to which the products are added.
private typealias Activations = (
    lower: Bytes64, upper: Bytes64, lowerOffset: Bytes64, upperOffset: Bytes64, d: SIMD4<Float>
)

@inline(__always)
private func unpack(_ blocks: BlockQuartet) -> Weights {
    (quants(blocks, 0) ^ splat(0x80), quants(blocks, 2) ^ splat(0x80), halves(BlockQ8_0.d, of: quartetWords(blocks)))
}

@inline(__always)
private func prepare(_ blocks: BlockQuartet) -> Activations {
    let (lower, upper) = (quants(blocks, 0), quants(blocks, 2))
    return (
        lower, upper,
        _mm512_sub_epi32(Bytes64(), addProducts(Bytes64(), splat(128), lower)),
        _mm512_sub_epi32(Bytes64(), addProducts(Bytes64(), splat(128), upper)),
        halves(BlockQ8_0.d, of: quartetWords(blocks))
    )
}

@inline(__always)
private func accumulate(_ weights: Weights, _ x: Activations, _ sum: Lanes) -> Lanes {
    let scales = weights.d * x.d
    let lower = floats(addProducts(x.lowerOffset, weights.lower, x.lower))
    let upper = floats(addProducts(x.upperOffset, weights.upper, x.upper))
    return multiplyAdd(upper, spread(scales, 2, 3), multiplyAdd(lower, spread(scales, 0, 1), sum))
}

/// The quants of two neighbouring blocks.
@inline(__always)
private func quants(_ blocks: BlockQuartet, _ index: Int) -> Bytes64 {
    bytes64(block(index, of: blocks) + BlockQ8_0.qs, block(index &+ 1, of: blocks) + BlockQ8_0.qs)
}

/// Broadcasts one of four numbers to the lower 8 lanes and another to the upper 8.
@inline(__always)
private func spread(_ numbers: SIMD4<Float>, _ low: Int64, _ high: Int64) -> Lanes {
    _mm512_permutexvar_ps(splat32(low, high), _mm512_castps128_ps512(numbers))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileQ8_0: UnpackKernel = {
    unpackByteTile(($0, $1, $2, $3, $4), byteCount: BlockQ8_0.byteCount, qs: BlockQ8_0.qs, d: BlockQ8_0.d)
}
#endif
