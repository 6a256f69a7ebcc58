internal import LeapBlocks

let dotQ4_0: DotKernel = {
    dotBlocks(BlockQ4_0.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d (q − 8) · d′ q′ = d d′ Σ (q − 8) q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ4_0.d) * loadHalf(activation + BlockQ8_0.d)
    let (qs, x) = (words(weight + BlockQ4_0.qs), activation + BlockQ8_0.qs)
    let products =
        dot(split(bits(qs, 0, 15)) - 8, signedBytes(words(x)))
        &+ dot(split(bits(qs, 4, 15)) - 8, signedBytes(words(x + 16)))
    return Lanes(sums(products)) * d
}
