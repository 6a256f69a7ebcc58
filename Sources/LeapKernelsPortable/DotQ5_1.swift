internal import LeapBlocks

let dotQ5_1: DotKernel = {
    dotBlocks(BlockQ5_1.self, BlockQ8_1.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ (d q + m) · d′ q′ = d d′ Σ q q′ + m s′, with s′ = d′ Σ q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ5_1.d) * loadHalf(activation + BlockQ8_1.d)
    let offset = loadHalf(weight + BlockQ5_1.m) * loadHalf(activation + BlockQ8_1.s)
    let (qs, x) = (words(weight + BlockQ5_1.qs), activation + BlockQ8_1.qs)
    let fifths = fifthBits(weight + BlockQ5_1.qh)
    let low = split(bits(qs, 0, 15)) | fifthBits(fifths)
    let high = split(bits(qs, 4, 15)) | fifthBits(fifths >> 16)
    let products = dot(low, signedBytes(words(x))) &+ dot(high, signedBytes(words(x + 16)))
    return Lanes(sums(products)) * d + Lanes(offset, 0, 0, 0)
}
