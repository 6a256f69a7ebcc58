internal import LeapBlocks

let dotMXFP4: DotKernel = {
    dotBlocks(BlockMXFP4.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ 2^(e − 128) doubled[q] · d′ q′ = 2^(e − 128) d′ Σ doubled[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = halvedScale(weight + BlockMXFP4.e) * loadHalf(activation + BlockQ8_0.d)
    let (qs, x) = (sixteenBytes(weight + BlockMXFP4.qs), activation + BlockQ8_0.qs)
    let products =
        dot(doubledE2M1(qs & 15), signedBytes(words(x))) &+ dot(doubledE2M1(qs &>> 4), signedBytes(words(x + 16)))
    return Lanes(sums(products)) * d
}

/// Twice the values of sixteen E2M1 codes.
@inline(__always)
private func doubledE2M1(_ codes: SIMD16<UInt8>) -> SplitBytes {
    lookUp(codes, SIMD16(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12))
}
