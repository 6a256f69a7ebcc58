#if arch(x86_64)
public import LeapBlocks

/// The functions for x86-64-v4 with VNNI: AVX-512 F, BW, CD, DQ, VL and VNNI.
public let x86V4Table = KernelTable(
    level: .x86V4, floats: floatKernels(attend: attendByWords), blocks: blockKernels(for:),
    quantizers: quantizer(to:), peaks: peakKernels())
#endif
