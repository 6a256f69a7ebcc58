internal import LeapBlocks

let dotQ2_K: DotKernel = {
    dotBlocks(BlockQ2_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ (d scale q − dmin min) · d′ q′ = d d′ Σ scale q q′ − dmin d′ Σ min Σ q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ2_K.d) * floatAt(activation + BlockQ8_K.d)
    let dmin = loadHalf(weight + BlockQ2_K.dmin) * floatAt(activation + BlockQ8_K.d)
    let scales = weight.unsigned(BlockQ2_K.scales)
    let minima = unsafeBitCast(bits(words(weight + BlockQ2_K.scales), 4, 15), to: SIMD16<Int8>.self)
    var sum = SIMD4<Int32>(repeating: 0)
    for part in 0..<4 {
        let (half, side) = (part / 2, part % 2)
        let qs = words(weight + BlockQ2_K.qs + 32 * half + 16 * side)
        let group = 8 * half + side
        let x = activation + 16 * group
        sum = sum &+ sums(dot(split(bits(qs, 0, 3)), activations(x, 0)), times: Int16(scales[group] & 15))
        sum = sum &+ sums(dot(split(bits(qs, 2, 3)), activations(x, 32)), times: Int16(scales[group + 2] & 15))
        sum = sum &+ sums(dot(split(bits(qs, 4, 3)), activations(x, 64)), times: Int16(scales[group + 4] & 15))
        sum = sum &+ sums(dot(split(bits(qs, 6, 3)), activations(x, 96)), times: Int16(scales[group + 6] & 15))
    }
    return Lanes(sum) * d - Lanes(dotSums(minima, activation)) * dmin
}
