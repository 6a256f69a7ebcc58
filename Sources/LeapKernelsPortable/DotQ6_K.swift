internal import LeapBlocks

let dotQ6_K: DotKernel = {
    dotBlocks(BlockQ6_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d scale (q − 32) · d′ q′ = d d′ (Σ scale q q′ − 32 Σ scale Σ q′)
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ6_K.d) * floatAt(activation + BlockQ8_K.d)
    var sum = SIMD4<Int32>(repeating: 0)
    for part in 0..<4 {
        let (half, side) = (part / 2, part % 2)
        let ql = weight + BlockQ6_K.ql + 64 * half + 16 * side
        let (first, second) = (words(ql), words(ql + 32))
        let qh = words(weight + BlockQ6_K.qh + 32 * half + 16 * side)
        let scales = weight.signed(BlockQ6_K.scales + 8 * half + side)
        let x = activation + 128 * half + 16 * side
        sum = sum &+ sums(dot(sixBits(first, 0, qh, 0), activations(x, 0)), times: Int16(scales[0]))
        sum = sum &+ sums(dot(sixBits(second, 0, qh, 2), activations(x, 32)), times: Int16(scales[2]))
        sum = sum &+ sums(dot(sixBits(first, 4, qh, 4), activations(x, 64)), times: Int16(scales[4]))
        sum = sum &+ sums(dot(sixBits(second, 4, qh, 6), activations(x, 96)), times: Int16(scales[6]))
    }
    let scales = (weight + BlockQ6_K.scales).loadUnaligned(as: SIMD16<Int8>.self)
    return Lanes(sum &- dotSums(scales, activation) &<< 5) * d
}

/// Four bits from bit `shift` on, with two bits from bit `upper` on above them.
@inline(__always)
private func sixBits(_ ql: Words, _ shift: Int, _ qh: Words, _ upper: Int) -> SplitBytes {
    split(join(bits(ql, shift, 15), bits(qh, upper, 3), shift: 4))
}
