internal import LeapBlocks

let dotQ3_K: DotKernel = {
    dotBlocks(BlockQ3_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d scale (q − 4) · d′ q′ = d d′ Σ scale (q − 4) q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ3_K.d) * floatAt(activation + BlockQ8_K.d)
    let scales = q3KScales(weight + BlockQ3_K.scales)
    var sum = SIMD4<Int32>(repeating: 0)
    for group in 0..<16 {
        let (half, quarter, side) = (group / 8, group % 8 / 2, group % 2)
        let qs = words(weight + BlockQ3_K.qs + 32 * half + side * 16)
        let hmask = words(weight + BlockQ3_K.hmask + side * 16)
        let quants = join(bits(qs, quarter * 2, 3), bits(hmask, group / 2, 1), shift: 2) - 4
        sum = sum &+ dot(quants * Int16(scales[group]), activations(activation, 16 * group))
    }
    return Lanes(sum) * d
}
