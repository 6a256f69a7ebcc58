#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `IQ4_XS`: 8 groups of 32 elements; 16 bytes carry the first 16 step indices of a group in their low halves and the
/// others in their high halves.
///
/// A step is made unsigned by adding 128; the groups' sums take that off again. The sums of four products need more
/// than 16 bits here, so that the scales multiply 32-bit lanes.
let dotIQ4_XS: DotKernel = {
    dotSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_XS.byteCount, unpack: unpack, accumulate: accumulate)
}

/// 256 unsigned quants, 8 scales in 32-bit lanes, and their scale.
private typealias Weights = (quants: Quants256, scales: Bytes32, d: Float)

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> Weights {
    (quants(block), scales(block), loadHalf(block + BlockIQ4_XS.d))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let qs = block + BlockIQ4_XS.qs
    return (
        raisedSteps(nibbles(qs, qs + 16)), raisedSteps(nibbles(qs + 32, qs + 48)),
        raisedSteps(nibbles(qs + 64, qs + 80)), raisedSteps(nibbles(qs + 96, qs + 112))
    )
}

/// The 8 scales less 32, in 32-bit lanes.
@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> Bytes32 {
    let low = block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesLow, as: Int32.self)
    let high = Int32(block.loadUnaligned(fromByteOffset: BlockIQ4_XS.scalesHigh, as: UInt16.self))
    let lower = _mm256_srlv_epi32(_mm256_set1_epi32(low), _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28))
    let upper = _mm256_srlv_epi32(_mm256_set1_epi32(high), _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14))
    let bits = lower & _mm256_set1_epi32(15) | _mm256_slli_epi32(upper & _mm256_set1_epi32(3), 4)
    return _mm256_sub_epi32(bits, _mm256_set1_epi32(32))
}

@inline(__always)
private func accumulate(_ weights: Weights, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes {
    let x = activations + BlockQ8_K.qs
    let scales = _mm512_castsi256_si512(weights.scales)
    var product = groupSum(_mm512_castsi256_si512(offsets(weights.scales)), activations)
    product = addScaled(product, weights.quants.0, bytes64(x), spread(scales, 0, 1))
    product = addScaled(product, weights.quants.1, bytes64(x + 64), spread(scales, 2, 3))
    product = addScaled(product, weights.quants.2, bytes64(x + 128), spread(scales, 4, 5))
    product = addScaled(product, weights.quants.3, bytes64(x + 192), spread(scales, 6, 7))
    return multiplyAdd(floats(product), Lanes(repeating: weights.d * activationScale(activations)), sum)
}

/// `−128 · scale` for each of the 16 group sums: the scale's low 16 bits twice in its 32-bit lane.
@inline(__always)
private func offsets(_ scales: Bytes32) -> Bytes32 {
    let offsets = _mm256_sub_epi32(Bytes32(), _mm256_slli_epi32(scales, 7))
    return offsets & _mm256_set1_epi32(0xFFFF) | _mm256_slli_epi32(offsets, 16)
}

@inline(__always)
private func addScaled(_ sum: Bytes64, _ quants: Bytes64, _ x: Bytes64, _ scales: Bytes64) -> Bytes64 {
    _mm512_add_epi32(sum, _mm512_mullo_epi32(addProducts(Bytes64(), quants, x), scales))
}

/// One of 8 scales in the lower 8 lanes, another in the upper.
@inline(__always)
private func spread(_ scales: Bytes64, _ low: Int64, _ high: Int64) -> Bytes64 {
    _mm512_permutexvar_epi32(splat32(low, high), scales)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_XS: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32) { rows in
        for part in 0..<2 {
            transpose {
                bytes64(rows.source($0) + (BlockIQ4_XS.qs &+ 64 &* part))
            } _: { word, codes in
                let quad = 32 &* part &+ 8 &* (word / 4) &+ word % 4
                setQuad(quad, subtract(128, from: raisedSteps(lowNibbles(codes))), rows)
                setQuad(quad &+ 4, subtract(128, from: raisedSteps(highNibbles(codes))), rows)
            }
        }
        setFactors(rows) { block in
            scaled(_mm512_castsi256_si512(scales(block)), loadHalf(block + BlockIQ4_XS.d), 0)
        }
    }
}
#endif
