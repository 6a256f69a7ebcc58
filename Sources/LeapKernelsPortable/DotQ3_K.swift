internal import LeapBlocks

let dotQ3_K: DotKernel = {
    dotBlocks(BlockQ3_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d scale (q − 4) · d′ q′ = d d′ (Σ scale q q′ − 4 Σ scale Σ q′)
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ3_K.d) * floatAt(activation + BlockQ8_K.d)
    let scales = q3KScales(weight + BlockQ3_K.scales)
    var sum = SIMD4<Int32>(repeating: 0)
    for part in 0..<4 {
        let (half, side) = (part / 2, part % 2)
        let qs = words(weight + BlockQ3_K.qs + 32 * half + 16 * side)
        let hmask = words(weight + BlockQ3_K.hmask + 16 * side) &>> Int16(truncatingIfNeeded: 4 * half)
        let group = 8 * half + side
        let x = activation + 16 * group
        sum = sum &+ sums(dot(threeBits(qs, 0, hmask, 0), activations(x, 0)), times: Int16(scales[group]))
        sum = sum &+ sums(dot(threeBits(qs, 2, hmask, 1), activations(x, 32)), times: Int16(scales[group + 2]))
        sum = sum &+ sums(dot(threeBits(qs, 4, hmask, 2), activations(x, 64)), times: Int16(scales[group + 4]))
        sum = sum &+ sums(dot(threeBits(qs, 6, hmask, 3), activations(x, 96)), times: Int16(scales[group + 6]))
    }
    return Lanes(sum &- dotSums(scales, activation) &<< 2) * d
}

/// Two bits from bit `shift` on, with bit `third` of the mask above them.
@inline(__always)
private func threeBits(_ qs: Words, _ shift: Int, _ hmask: Words, _ third: Int) -> SplitBytes {
    split(join(bits(qs, shift, 3), bits(hmask, third, 1), shift: 2))
}
