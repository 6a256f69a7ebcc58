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
    let sums = (activation + BlockQ8_K.bsums).assumingMemoryBound(to: Int16.self)
    var sum = SIMD4<Int32>(repeating: 0)
    var minima: Int32 = 0
    for group in 0..<16 {
        let (half, quarter, side) = (group / 8, group % 8 / 2, group % 2)
        let qs = words(weight + BlockQ2_K.qs + 32 * half + side * 16)
        let scale = Int16(scales[group] & 15)
        sum = sum &+ dot(bits(qs, quarter * 2, 3) * scale, activations(activation, 16 * group))
        minima &+= Int32(scales[group] >> 4) &* Int32(sums[group])
    }
    return Lanes(sum) * d - Lanes(dmin * Float(minima), 0, 0, 0)
}
