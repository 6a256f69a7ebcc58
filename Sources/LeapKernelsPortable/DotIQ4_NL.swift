internal import LeapBlocks

let dotIQ4_NL: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, blocks, output, stride in
    var memory = pairMemory
    withUnsafeMutablePointer(to: &memory) { memory in
        let pairs = valuePairs(of: nonLinearSteps, in: memory)
        dotBlocks(
            BlockIQ4_NL.self, BlockQ8_0.self, weights, weightStride, rows, activations, activationStride, columns,
            blocks, output, stride
        ) { product($0, $1, pairs) }
    }
}

/// Σ d steps[q] · d′ q′ = d d′ Σ steps[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer, _ steps: ValuePairs) -> Lanes {
    let d = loadHalf(weight + BlockIQ4_NL.d) * loadHalf(activation + BlockQ8_0.d)
    return Lanes(dot(weight.unsigned(BlockIQ4_NL.qs), steps, activation + BlockQ8_0.qs)) * d
}
