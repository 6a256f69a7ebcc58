internal import LeapBlocks

let dotQ4_K: DotKernel = {
    dotBlocks(BlockQ4_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ (d scale q − dmin min) · d′ q′ = d d′ Σ scale q q′ − dmin d′ Σ min Σ q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ4_K.d) * floatAt(activation + BlockQ8_K.d)
    let dmin = loadHalf(weight + BlockQ4_K.dmin) * floatAt(activation + BlockQ8_K.d)
    let groups = unpackedSixBitScales(weight + BlockQ4_K.scales)
    var sum = SIMD4<Int32>(repeating: 0)
    for pair in 0..<4 {
        let first = words(weight + BlockQ4_K.qs + 32 * pair)
        let second = words(weight + BlockQ4_K.qs + 32 * pair + 16)
        let low =
            dot(split(bits(first, 0, 15)), activations(activation, 64 * pair))
            &+ dot(split(bits(second, 0, 15)), activations(activation, 64 * pair + 16))
        let high =
            dot(split(bits(first, 4, 15)), activations(activation, 64 * pair + 32))
            &+ dot(split(bits(second, 4, 15)), activations(activation, 64 * pair + 48))
        sum = sum &+ sums(low, times: Int16(byte(2 * pair, of: groups.scales)))
        sum = sum &+ sums(high, times: Int16(byte(2 * pair + 1, of: groups.scales)))
    }
    let minima = Float(dotMinima(groups.minima, activation))
    return Lanes(sum) * d - Lanes(dmin * minima, 0, 0, 0)
}
