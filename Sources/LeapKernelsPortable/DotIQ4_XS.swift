internal import LeapBlocks

let dotIQ4_XS: DotKernel = {
    dotBlocks(BlockIQ4_XS.self, BlockQ8_K.self, $0, $1, $2, $3, $4, $5, $6, $7, $8, product)
}

/// Σ d scale steps[q] · d′ q′ = d d′ Σ scale steps[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer) -> Lanes {
    let d = loadHalf(weight + BlockIQ4_XS.d) * floatAt(activation + BlockQ8_K.d)
    let scales = iq4XSScales(weight)
    var sum = SIMD4<Int32>(repeating: 0)
    for group in 0..<8 {
        let steps = nonLinearSteps(words(weight + BlockIQ4_XS.qs + 16 * group))
        sum = sum &+ sums(dot(steps.low, activations(activation, 32 * group)), times: scales[group])
        sum = sum &+ sums(dot(steps.high, activations(activation, 32 * group + 16)), times: scales[group])
    }
    return Lanes(sum) * d
}
