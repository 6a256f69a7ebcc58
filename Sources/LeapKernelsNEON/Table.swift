#if arch(arm64)
public import LeapBlocks

/// The functions for arm64 with the dot product instructions of Armv8.2.
public let neonTable = KernelTable(
    level: .neon, floats: floatKernels(), blocks: blockKernels(for:), quantizers: quantizer(to:),
    peaks: peakKernels())

/// This level multiplies no tiles yet.
func tileKernels(for type: GGMLType) -> TileKernels? { nil }
#endif
