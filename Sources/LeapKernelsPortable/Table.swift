public import LeapBlocks

/// The functions in plain Swift, for any CPU.
public let portableTable = KernelTable(
    level: .portable, floats: floatKernels(), tileShape: nil, blocks: blockKernels(for:),
    quantizers: quantizer(to:))

/// This level multiplies no tiles yet.
func tileKernels(for type: GGMLType) -> TileKernels? { nil }
