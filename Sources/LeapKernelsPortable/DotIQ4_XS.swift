internal import LeapBlocks

let dotIQ4_XS: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, blocks, output, stride in
    var memory = pairMemory
    withUnsafeMutablePointer(to: &memory) { memory in
        let pairs = valuePairs(of: nonLinearSteps, in: memory)
        dotBlocks(
            BlockIQ4_XS.self, BlockQ8_K.self, weights, weightStride, rows, activations, activationStride, columns,
            blocks, output, stride
        ) { product($0, $1, pairs) }
    }
}

/// Σ d scale steps[q] · d′ q′ = d d′ Σ steps[q] scale q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer, _ steps: ValuePairs) -> Lanes {
    let d = loadHalf(weight + BlockIQ4_XS.d) * floatAt(activation + BlockQ8_K.d)
    let scales = iq4XSScales(weight)
    var sum = SIMD4<Int32>(repeating: 0)
    for group in 0..<8 {
        let (qs, x) = (weight.unsigned(BlockIQ4_XS.qs + 16 * group), activation + (BlockQ8_K.qs + 32 * group))
        sum = sum &+ dot(qs, steps, x, times: scales[group])
    }
    return Lanes(sum) * d
}
