#if arch(x86_64)
public import LeapBlocks

/// The functions for x86-64-v3: AVX2, FMA and F16C.
public let x86V3Table = KernelTable(
    level: .x86V3, floats: floatKernels(), tileShape: nil, blocks: blockKernels(for:),
    quantizers: quantizer(to:))

/// This level multiplies no tiles yet.
func tileKernels(for type: GGMLType) -> TileKernels? { nil }
#endif
