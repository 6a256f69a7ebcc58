internal import LeapBlocks

let dotQ5_0: DotKernel = {
    dotBlocks(BlockQ5_0.self, BlockQ8_0.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d (q − 16) · d′ q′ = d d′ Σ (q − 16) q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ5_0.d) * loadHalf(activation + BlockQ8_0.d)
    let (qs, x) = (words(weight + BlockQ5_0.qs), activation + BlockQ8_0.qs)
    let fifths = fifthBits(weight + BlockQ5_0.qh)
    let low = split(bits(qs, 0, 15)) | fifthBits(fifths)
    let high = split(bits(qs, 4, 15)) | fifthBits(fifths >> 16)
    let products = dot(low - 16, signedBytes(words(x))) &+ dot(high - 16, signedBytes(words(x + 16)))
    return Lanes(sums(products)) * d
}
