#if arch(x86_64)
public import LeapBlocks

/// The functions for x86-64-v3: AVX2, FMA and F16C.
public let x86V3Table = KernelTable(
    level: .x86V3, floats: floatKernels(), blocks: blockKernels(for:), quantizers: quantizer(to:),
    peaks: peakKernels())
#endif
