public import LeapBlocks

/// The functions in plain Swift, for any CPU.
public let portableTable = KernelTable(
    level: .portable, floats: floatKernels(), blocks: blockKernels(for:), quantizers: quantizer(to:),
    peaks: peakKernels())

/// This level multiplies no tiles yet.
func tileKernels(for type: GGMLType) -> TileKernels? { nil }
