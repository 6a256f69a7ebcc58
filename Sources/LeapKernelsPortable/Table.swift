public import LeapBlocks

/// The functions in plain Swift, for any CPU.
public let portableTable = KernelTable(
    level: .portable,
    floats: floatKernels(),
    blocks: [
        .F32: BlockKernels(dequantize: dequantizeF32, dot: dotF32),
        .F16: BlockKernels(dequantize: dequantizeF16, dot: dotF16),
        .BF16: BlockKernels(dequantize: dequantizeBF16, dot: dotBF16),
        .Q4_0: BlockKernels(dequantize: dequantizeQ4_0, dot: dotQ4_0),
        .Q4_1: BlockKernels(dequantize: dequantizeQ4_1, dot: dotQ4_1),
        .Q5_0: BlockKernels(dequantize: dequantizeQ5_0, dot: dotQ5_0),
        .Q5_1: BlockKernels(dequantize: dequantizeQ5_1, dot: dotQ5_1),
        .Q8_0: BlockKernels(dequantize: dequantizeQ8_0, dot: dotQ8_0),
        .Q2_K: BlockKernels(dequantize: dequantizeQ2_K, dot: dotQ2_K),
        .Q3_K: BlockKernels(dequantize: dequantizeQ3_K, dot: dotQ3_K),
        .Q4_K: BlockKernels(dequantize: dequantizeQ4_K, dot: dotQ4_K),
        .Q5_K: BlockKernels(dequantize: dequantizeQ5_K, dot: dotQ5_K),
        .Q6_K: BlockKernels(dequantize: dequantizeQ6_K, dot: dotQ6_K),
        .IQ4_NL: BlockKernels(dequantize: dequantizeIQ4_NL, dot: dotIQ4_NL),
        .IQ4_XS: BlockKernels(dequantize: dequantizeIQ4_XS, dot: dotIQ4_XS),
        .MXFP4: BlockKernels(dequantize: dequantizeMXFP4, dot: dotMXFP4),
    ],
    quantizers: [.Q8_0: quantizeQ8_0, .Q8_1: quantizeQ8_1, .Q8_K: quantizeQ8_K]
)
