internal import LeapBlocks

let dotQ6_K: DotKernel = {
    dotBlocks(BlockQ6_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d scale (q − 32) · d′ q′ = d d′ Σ scale (q − 32) q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ6_K.d) * floatAt(activation + BlockQ8_K.d)
    let scales = weight.signed(BlockQ6_K.scales)
    var sum = SIMD4<Int32>(repeating: 0)
    for group in 0..<16 {
        let (half, quarter, side) = (group / 8, group % 8 / 2, group % 2)
        let ql = words(weight + BlockQ6_K.ql + 64 * half + quarter % 2 * 32 + side * 16)
        let qh = words(weight + BlockQ6_K.qh + 32 * half + side * 16)
        let quants = join(bits(ql, quarter / 2 * 4, 15), bits(qh, quarter * 2, 3), shift: 4) - 32
        sum = sum &+ dot(quants * Int16(scales[group]), activations(activation, 16 * group))
    }
    return Lanes(sum) * d
}
