internal import LeapBlocks

let dotMXFP4: DotKernel = {
    dotBlocks(BlockMXFP4.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ 2^(e − 128) doubled[q] · d′ q′ = 2^(e − 128) d′ Σ doubled[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = halvedScale(weight + BlockMXFP4.e) * loadHalf(activation + BlockQ8_0.d)
    let (qs, x) = (words(weight + BlockMXFP4.qs), activation + BlockQ8_0.qs)
    let products = dot(doubledE2M1(qs), signedBytes(words(x))) &+ dot(doubledE2M1(qs &>> 4), signedBytes(words(x + 16)))
    return Lanes(sums(products)) * d
}

/// Twice the values of the E2M1 codes in the lower halves of sixteen bytes.
@inline(__always)
private func doubledE2M1(_ bytes: Words) -> SplitBytes {
    let codes = unsafeBitCast(bytes & 0x0F0F, to: SIMD16<Int8>.self)
    // 0, 1, 2, 3, 4, 6, 8, 12: from the fourth step on they rise by more than one.
    let magnitude = codes & 7
    let rises = (above(4, magnitude) & 1) &+ (above(5, magnitude) & 1) &+ (above(6, magnitude) & 3)
    // Negates where the sign's bit is set: −x is the complement of x less −1.
    let isNegative = above(7, codes)
    return signedBytes(unsafeBitCast(((magnitude &+ rises) ^ isNegative) &- isNegative, to: Words.self))
}

/// All bits where a byte is above a limit.
@inline(__always)
private func above(_ limit: Int8, _ bytes: SIMD16<Int8>) -> SIMD16<Int8> {
    unsafeBitCast(bytes .> SIMD16<Int8>(repeating: limit), to: SIMD16<Int8>.self)
}
