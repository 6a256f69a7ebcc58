#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `IQ4_XS`: 8 groups of 32 elements; 16 bytes hold a group's first 16 step indices in their low nibbles and its last
/// 16 in their high nibbles.
let dotIQ4_XS: DotKernel = {
    dotSuperBlocks(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_XS.byteCount, unpack: unpack, accumulate: accumulate)
}

/// 256 signed quants, 8 scales in both halves, and their scale.
private typealias Weights = (quants: Quants256, scales: SpreadScales, d: Float)

@inline(__always)
private func unpack(_ block: UnsafeRawPointer) -> Weights {
    (quants(block), scales(block), loadHalf(block + BlockIQ4_XS.d))
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let qs = block + BlockIQ4_XS.qs
    return (
        steps(nibbles(qs)), steps(nibbles(qs + 16)), steps(nibbles(qs + 32)), steps(nibbles(qs + 48)),
        steps(nibbles(qs + 64)), steps(nibbles(qs + 80)), steps(nibbles(qs + 96)), steps(nibbles(qs + 112))
    )
}

@inline(__always)
private func accumulate(_ weights: Weights, _ activations: UnsafeRawPointer, _ sum: Lanes) -> Lanes {
    let product = scaledSum(weights.quants, weights.scales, activations, adding: Bytes32()) {
        signedProductsOfTwo($0, $1)
    }
    return multiplyAdd(floats(product), Lanes(repeating: weights.d * activationScale(activations)), sum)
}

@inline(__always)
private func scales(_ block: UnsafeRawPointer) -> SpreadScales {
    let parts = unsafeBitCast(scaleWords(block), to: (Bytes16, Bytes16).self)
    return twice(_mm_packs_epi32(parts.0, parts.1))
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_XS: UnpackKernel = {
    unpackSignedTile(($0, $1, $2, $3, $4)) { block, _ in
        let d = Lanes(repeating: loadHalf(block + BlockIQ4_XS.d))
        return (quants(block), floats(scaleWords(block)) * d, Lanes(repeating: 0))
    }
}
#endif
