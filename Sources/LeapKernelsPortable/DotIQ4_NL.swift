internal import LeapBlocks

let dotIQ4_NL: DotKernel = {
    dotBlocks(BlockIQ4_NL.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d steps[q] · d′ q′ = d d′ Σ steps[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockIQ4_NL.d) * loadHalf(activation + BlockQ8_0.d)
    let (steps, x) = (nonLinearSteps(words(weight + BlockIQ4_NL.qs)), activation + BlockQ8_0.qs)
    let first = dot(steps.low, signedBytes(words(x)))
    let second = dot(steps.high, signedBytes(words(x + 16)))
    return Lanes(sums(first) &+ sums(second)) * d
}
