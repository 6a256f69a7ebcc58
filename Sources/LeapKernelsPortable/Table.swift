public import LeapBlocks

/// The functions in plain Swift, for any CPU.
public let portableTable = KernelTable(
    level: .portable, floats: floatKernels(), blocks: blockKernels(for:), quantizers: quantizer(to:))
