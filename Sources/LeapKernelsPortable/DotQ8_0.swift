internal import LeapBlocks

let dotQ8_0: DotKernel = {
    dotBlocks(BlockQ8_0.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d q · d′ q′ = d d′ Σ q q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ8_0.d) * loadHalf(activation + BlockQ8_0.d)
    let (qs, x) = (weight + BlockQ8_0.qs, activation + BlockQ8_0.qs)
    let first = dot(signedBytes(words(qs)), signedBytes(words(x)))
    let second = dot(signedBytes(words(qs + 16)), signedBytes(words(x + 16)))
    return Lanes(sums(first) &+ sums(second)) * d
}
