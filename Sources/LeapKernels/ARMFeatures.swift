#if arch(arm64)
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What the CPU offers beyond the baseline of arm64. A program asks the system, since only that may ask the CPU.
struct ARMFeatures {
    /// The dot product instructions of Armv8.2.
    let dotProduct: Bool

    /// Asks about the CPU that the program runs on.
    init() {
        #if canImport(Darwin)
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        dotProduct = sysctlbyname("hw.optional.arm.FEAT_DotProd", &value, &size, nil, 0) == 0 && value != 0
        #else
        dotProduct = hardwareCapabilities() & (1 << 20) != 0  // HWCAP_ASIMDDP
        #endif
    }
}

#if !canImport(Darwin)
/// What the Linux kernel says of the CPU in the auxiliary vector, pairs of a type and a value; 0 where it says nothing.
/// (`getauxval`, which looks that up, is not part of the modules that Swift has of the C library.)
private func hardwareCapabilities() -> UInt {
    guard let file = fopen("/proc/self/auxv", "rb") else { return 0 }
    defer { fclose(file) }
    var entry: (type: UInt, value: UInt) = (0, 0)
    while fread(&entry, MemoryLayout.size(ofValue: entry), 1, file) == 1 {
        if entry.type == 16 { return entry.value }  // AT_HWCAP
    }
    return 0
}
#endif
#endif
