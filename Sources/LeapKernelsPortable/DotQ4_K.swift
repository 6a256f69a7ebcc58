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
    for group in 0..<8 {
        let scale = Int16(byte(group, of: groups.scales))
        let qs = weight + BlockQ4_K.qs + group / 2 * 32
        let shift = group % 2 * 4
        sum = sum &+ dot(bits(words(qs), shift, 15) * scale, activations(activation, 32 * group))
        sum = sum &+ dot(bits(words(qs + 16), shift, 15) * scale, activations(activation, 32 * group + 16))
    }
    let minima = Float(dotMinima(groups.minima, activation))
    return Lanes(sum) * d - Lanes(dmin * minima, 0, 0, 0)
}
