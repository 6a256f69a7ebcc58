internal import LeapBlocks

let dotIQ4_NL: DotKernel = {
    dotBlocks(BlockIQ4_NL.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d steps[q] · d′ q′ = d d′ Σ steps[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockIQ4_NL.d) * loadHalf(activation + BlockQ8_0.d)
    let (qs, x) = (sixteenBytes(weight + BlockIQ4_NL.qs), activation + BlockQ8_0.qs)
    let first = dot(nonLinearSteps(qs & 15), signedBytes(words(x)))
    let second = dot(nonLinearSteps(qs &>> 4), signedBytes(words(x + 16)))
    return Lanes(sums(first) &+ sums(second)) * d
}

/// The values that sixteen indices of `IQ4_NL` and `IQ4_XS` stand for.
@inline(__always)
func nonLinearSteps(_ indices: SIMD16<UInt8>) -> SplitBytes {
    lookUp(indices, SIMD16(-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113))
}
