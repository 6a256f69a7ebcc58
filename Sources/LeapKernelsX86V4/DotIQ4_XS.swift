#if arch(x86_64)
import LeapBlocks
import _Builtin_intrinsics.intel

/// `IQ4_XS`: 8 groups of 32 elements; 16 bytes hold a group's first 16 step indices in their low nibbles and its last
/// 16 in their high nibbles.
///
/// Adding 128 makes a step unsigned; the sums of products start from the compensating term. They need more than 16
/// bits, so that the scales multiply 32-bit lanes: once per four groups of four rows.
let dotIQ4_XS: DotKernel = {
    dotQuartets(
        ($0, $1, $2, $3, $4, $5, $6, $7, $8), byteCount: BlockIQ4_XS.byteCount, unpack: unpack, prepare: prepare,
        add: add)
}

/// One block of each of four rows: its unsigned quants (the first 16 and the last 16 of groups 0 … 3, then those of
/// groups 4 … 7), the scales of the four groups as `abcd abcd abcd abcd`, and the factors.
private typealias Weights = (
    quants: (Quants256, Quants256, Quants256, Quants256), scales: (Bytes64, Bytes64), d: SIMD4<Float>
)

/// A block of activations: quants in the weights' order, `−128 · Σ x` over the products that share a lane, and the
/// scale.
private typealias Activations = (quants: Quants256, start: (Bytes64, Bytes64), d: SIMD4<Float>)

@inline(__always)
private func unpack(_ blocks: BlockAddresses) -> Weights {
    (
        (quants(blocks.a), quants(blocks.b), quants(blocks.c), quants(blocks.d)), scales(blocks),
        halves(BlockIQ4_XS.d, of: blocks)
    )
}

@inline(__always)
private func quants(_ block: UnsafeRawPointer) -> Quants256 {
    let codes = nibblePairs(block + BlockIQ4_XS.qs)
    return (raisedSteps(codes.0), raisedSteps(codes.1), raisedSteps(codes.2), raisedSteps(codes.3))
}

/// The scales minus 32, in 32-bit lanes.
@inline(__always)
private func scales(_ blocks: BlockAddresses) -> (Bytes64, Bytes64) {
    // Lanes 2i and 2i + 1 belong to block i: the factor and the upper bits, then the lower bits.
    let headers = _mm512_castsi256_si512(
        Bytes32(
            blocks.a.loadUnaligned(as: Int64.self), blocks.b.loadUnaligned(as: Int64.self),
            blocks.c.loadUnaligned(as: Int64.self), blocks.d.loadUnaligned(as: Int64.self)))
    let places = inEveryQuarter(Bytes16(2 &<< 32, 4 | 6 &<< 32))
    let upper = _mm512_permutexvar_epi32(places, headers)
    let lower = _mm512_permutexvar_epi32(places &+ Bytes64(repeating: 0x1_0000_0001), headers)
    return (scales(0, lower, upper), scales(4, lower, upper))
}

/// The scales of the four groups from group `first` on.
@inline(__always)
private func scales(_ first: Int64, _ lower: Bytes64, _ upper: Bytes64) -> Bytes64 {
    let groups = Bytes64(0, 0, 1, 1, 2, 2, 3, 3) &+ Bytes64(repeating: first)
    let twice = Bytes64(repeating: 0x1_0000_0001)
    let low = _mm512_srlv_epi32(lower, groups &* twice &* Bytes64(repeating: 4)) & splat32(15, 15)
    let high = _mm512_srlv_epi32(upper, groups &* twice &* Bytes64(repeating: 2) &+ splat32(16, 16)) & splat32(3, 3)
    return _mm512_sub_epi32(low | _mm512_slli_epi32(high, 4), splat32(32, 32))
}

@inline(__always)
private func prepare(_ block: UnsafeRawPointer) -> Activations {
    let x = block + BlockQ8_K.qs
    let (first, last) = (halves(bytes64(x), bytes64(x + 64)), halves(bytes64(x + 128), bytes64(x + 192)))
    return (
        (first.low, first.high, last.low, last.high), (start(first), start(last)),
        SIMD4(repeating: activationScale(block))
    )
}

@inline(__always)
private func start(_ x: (low: Bytes64, high: Bytes64)) -> Bytes64 {
    _mm512_sub_epi32(Bytes64(), addProducts(addProducts(Bytes64(), splat(128), x.low), splat(128), x.high))
}

@inline(__always)
private func add(_ w: Weights, _ x: Activations, _ sums: QuartetSums) -> QuartetSums {
    let q = w.quants
    let lower = alternating(lower(q.0, x), lower(q.1, x), lower(q.2, x), lower(q.3, x))
    let upper = alternating(upper(q.0, x), upper(q.1, x), upper(q.2, x), upper(q.3, x))
    let products = _mm512_add_epi32(
        _mm512_mullo_epi32(lower, w.scales.0), _mm512_mullo_epi32(upper, w.scales.1))
    return (_mm_fmadd_ps(floatsOfQuarters(products) * w.d, x.d, sums.products), sums.minima)
}

/// The products of groups 0 … 3 of a row.
@inline(__always)
private func lower(_ quants: Quants256, _ x: Activations) -> Bytes64 {
    addProducts(addProducts(x.start.0, quants.0, x.quants.0), quants.1, x.quants.1)
}

/// The products of groups 4 … 7 of a row.
@inline(__always)
private func upper(_ quants: Quants256, _ x: Activations) -> Bytes64 {
    addProducts(addProducts(x.start.1, quants.2, x.quants.2), quants.3, x.quants.3)
}

/// Unpacks a tile; see `UnpackKernel`.
let unpackTileIQ4_XS: UnpackKernel = {
    unpackTile(($0, $1, $2, $3, $4), groupSize: 32) { rows in
        for part in 0..<2 {
            transpose {
                bytes64(source($0, rows) + (BlockIQ4_XS.qs &+ 64 &* part))
            } _: { word, codes in
                let quad = 32 &* part &+ 8 &* (word / 4) &+ word % 4
                setQuad(quad, subtract(128, from: raisedSteps(lowNibbles(codes))), rows)
                setQuad(quad &+ 4, subtract(128, from: raisedSteps(highNibbles(codes))), rows)
            }
        }
        setScales(rows, count: 8) { block in
            let scales = floats(_mm512_castsi256_si512(scaleWords(block)))
            return unsafeBitCast(scales * Lanes(repeating: loadHalf(block + BlockIQ4_XS.d)), to: Bytes64.self)
        }
    }
}
#endif
