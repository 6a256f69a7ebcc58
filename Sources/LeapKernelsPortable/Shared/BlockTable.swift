internal import LeapBlocks

/// This level's functions for weights of a type. Every level has functions of these names.
func blockKernels(for type: GGMLType) -> BlockKernels? {
    let tiles = tileKernels(for: type)
    return switch type {
    case .F32: BlockKernels(dequantize: dequantizeF32, dot: dotF32, tiles: tiles)
    case .F16: BlockKernels(dequantize: dequantizeF16, dot: dotF16, tiles: tiles)
    case .BF16: BlockKernels(dequantize: dequantizeBF16, dot: dotBF16, tiles: tiles)
    case .Q4_0: BlockKernels(dequantize: dequantizeQ4_0, dot: dotQ4_0, tiles: tiles)
    case .Q4_1: BlockKernels(dequantize: dequantizeQ4_1, dot: dotQ4_1, tiles: tiles)
    case .Q5_0: BlockKernels(dequantize: dequantizeQ5_0, dot: dotQ5_0, tiles: tiles)
    case .Q5_1: BlockKernels(dequantize: dequantizeQ5_1, dot: dotQ5_1, tiles: tiles)
    case .Q8_0: BlockKernels(dequantize: dequantizeQ8_0, dot: dotQ8_0, tiles: tiles)
    case .Q2_K: BlockKernels(dequantize: dequantizeQ2_K, dot: dotQ2_K, tiles: tiles)
    case .Q3_K: BlockKernels(dequantize: dequantizeQ3_K, dot: dotQ3_K, tiles: tiles)
    case .Q4_K: BlockKernels(dequantize: dequantizeQ4_K, dot: dotQ4_K, tiles: tiles)
    case .Q5_K: BlockKernels(dequantize: dequantizeQ5_K, dot: dotQ5_K, tiles: tiles)
    case .Q6_K: BlockKernels(dequantize: dequantizeQ6_K, dot: dotQ6_K, tiles: tiles)
    case .IQ4_NL: BlockKernels(dequantize: dequantizeIQ4_NL, dot: dotIQ4_NL, tiles: tiles)
    case .IQ4_XS: BlockKernels(dequantize: dequantizeIQ4_XS, dot: dotIQ4_XS, tiles: tiles)
    case .MXFP4: BlockKernels(dequantize: dequantizeMXFP4, dot: dotMXFP4, tiles: tiles)
    default: nil
    }
}

/// This level's function that quantises activations to a type.
func quantizer(to type: GGMLType) -> QuantizeKernel? {
    switch type {
    case .Q8_0: quantizeQ8_0
    case .Q8_1: quantizeQ8_1
    case .Q8_K: quantizeQ8_K
    default: nil
    }
}
