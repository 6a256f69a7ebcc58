#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// This level's function that quantises activations to a type.
func quantizeKernel(to type: GGMLType) -> QuantizeKernel? {
    switch type {
    case .Q8_0: quantizeQ8_0
    case .Q8_1: quantizeQ8_1
    case .Q8_K: quantizeQ8_K
    default: nil
    }
}
#endif
