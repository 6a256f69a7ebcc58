internal import LeapBlocks

let dotMXFP4: DotKernel = {
    weights, weightStride, rows, activations, activationStride, columns, blocks, output, stride in
    var memory = pairMemory
    withUnsafeMutablePointer(to: &memory) { memory in
        let pairs = valuePairs(of: doubledSteps, in: memory)
        dotBlocks(
            BlockMXFP4.self, BlockQ8_0.self, weights, weightStride, rows, activations, activationStride, columns,
            blocks, output, stride
        ) { product($0, $1, pairs) }
    }
}

/// Twice the values of the E2M1 codes.
private var doubledSteps: SIMD16<Int16> {
    @inline(__always) get { SIMD16(0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12) }
}

/// Σ 2^(e − 128) doubled[q] · d′ q′ = 2^(e − 128) d′ Σ doubled[q] q′
@inline(__always)
private func product(_ weight: UnsafeRawPointer, _ activation: UnsafeRawPointer, _ doubled: ValuePairs) -> Lanes {
    let d = halvedScale(weight + BlockMXFP4.e) * loadHalf(activation + BlockQ8_0.d)
    return Lanes(dot(weight.unsigned(BlockMXFP4.qs), doubled, activation + BlockQ8_0.qs)) * d
}
