#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// This level's function that dequantises blocks of a type to floats.
func dequantizeKernel(of type: GGMLType) -> DequantizeKernel? {
    switch type {
    case .F32: dequantizeF32
    case .F16: dequantizeF16
    case .BF16: dequantizeBF16
    case .Q4_0: dequantizeQ4_0
    case .Q4_1: dequantizeQ4_1
    case .Q5_0: dequantizeQ5_0
    case .Q5_1: dequantizeQ5_1
    case .Q8_0: dequantizeQ8_0
    case .Q2_K: dequantizeQ2_K
    case .Q3_K: dequantizeQ3_K
    case .Q4_K: dequantizeQ4_K
    case .Q5_K: dequantizeQ5_K
    case .Q6_K: dequantizeQ6_K
    case .IQ4_NL: dequantizeIQ4_NL
    case .IQ4_XS: dequantizeIQ4_XS
    case .MXFP4: dequantizeMXFP4
    default: nil
    }
}
#endif
