internal import LeapBlocks

let dotQ5_K: DotKernel = {
    dotBlocks(BlockQ5_K.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ (d scale q − dmin min) · d′ q′ = d d′ Σ scale q q′ − dmin d′ Σ min Σ q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockQ5_K.d) * floatAt(activation + BlockQ8_K.d)
    let dmin = loadHalf(weight + BlockQ5_K.dmin) * floatAt(activation + BlockQ8_K.d)
    let groups = unpackedSixBitScales(weight + BlockQ5_K.scales)
    let (firstFifths, lastFifths) = (words(weight + BlockQ5_K.qh), words(weight + BlockQ5_K.qh + 16))
    var sum = SIMD4<Int32>(repeating: 0)
    for group in 0..<8 {
        let scale = Int16(byte(group, of: groups.scales))
        let qs = weight + BlockQ5_K.qs + group / 2 * 32
        let shift = group % 2 * 4
        let first = join(bits(words(qs), shift, 15), bits(firstFifths, group, 1), shift: 4)
        let last = join(bits(words(qs + 16), shift, 15), bits(lastFifths, group, 1), shift: 4)
        sum = sum &+ dot(first * scale, activations(activation, 32 * group))
        sum = sum &+ dot(last * scale, activations(activation, 32 * group + 16))
    }
    let minima = Float(dotMinima(groups.minima, activation))
    return Lanes(sum) * d - Lanes(dmin * minima, 0, 0, 0)
}
