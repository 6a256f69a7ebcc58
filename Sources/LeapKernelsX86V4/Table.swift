#if arch(x86_64)
public import LeapBlocks

/// The base table, with what x86-64-v4 with VNNI (AVX-512 F, BW, CD, DQ, VL and VNNI) does faster.
public func x86V4Table(over base: KernelTable) -> KernelTable {
    base.improved(
        to: .x86V4,
        floats: { _ in FloatKernels(over: floatKernels(), prepareQueries: prepareQueryWords, attend: attendByWords) },
        peaks: peakKernels(),
        dequantize: dequantizeKernel(of:), dot: dotKernel(of:), tiles: tileKernels(of:),
        quantize: quantizeByVectors(to:))
}

/// This level's dot products with weights of a type.
private func dotKernel(of type: GGMLType) -> DotKernel? {
    switch type {
    case .F32: dotF32
    case .F16: dotF16
    case .BF16: dotBF16
    case .Q4_0: dotQ4_0
    case .Q4_1: dotQ4_1
    case .Q5_0: dotQ5_0
    case .Q5_1: dotQ5_1
    case .Q8_0: dotQ8_0
    case .Q2_K: dotQ2_K
    case .Q3_K: dotQ3_K
    case .Q4_K: dotQ4_K
    case .Q5_K: dotQ5_K
    case .Q6_K: dotQ6_K
    case .IQ4_NL: dotIQ4_NL
    case .IQ4_XS: dotIQ4_XS
    case .MXFP4: dotMXFP4
    default: nil
    }
}
#endif
