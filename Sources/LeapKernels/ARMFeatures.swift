#if arch(arm64)
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// CPU features beyond the arm64 baseline. A program queries the operating system for them: only the system can read
/// the CPU's identification registers.
struct ARMFeatures {
    /// The dot product instructions of Armv8.2.
    let dotProduct: Bool
    /// ``dotProduct``, and the 8-bit matrix multiplication instructions of Armv8.6.
    let i8mm: Bool

    /// Detects the features of the CPU that the program runs on.
    init() {
        #if canImport(Darwin)
        dotProduct = hasFeature("hw.optional.arm.FEAT_DotProd")
        i8mm = dotProduct && hasFeature("hw.optional.arm.FEAT_I8MM")
        #else
        let (first, second) = hardwareCapabilities()
        dotProduct = first & (1 << 20) != 0  // HWCAP_ASIMDDP
        i8mm = dotProduct && second & (1 << 13) != 0  // HWCAP2_I8MM
        #endif
    }
}

#if canImport(Darwin)
/// Whether the system reports a CPU feature; a system does not know the names of features newer than itself.
private func hasFeature(_ name: String) -> Bool {
    var value: Int32 = 0
    var size = MemoryLayout<Int32>.size
    return sysctlbyname(name, &value, &size, nil, 0) == 0 && value != 0
}
#else
/// The CPU features that the Linux kernel reports in the auxiliary vector, a list of (type, value) pairs; 0 if it
/// reports none. (`getauxval`, which looks them up, is not in the C library modules that Swift imports.)
private func hardwareCapabilities() -> (first: UInt, second: UInt) {
    var capabilities: (first: UInt, second: UInt) = (0, 0)
    guard let file = fopen("/proc/self/auxv", "rb") else { return capabilities }
    defer { fclose(file) }
    var entry: (type: UInt, value: UInt) = (0, 0)
    while fread(&entry, MemoryLayout.size(ofValue: entry), 1, file) == 1 {
        if entry.type == 16 { capabilities.first = entry.value }  // AT_HWCAP
        if entry.type == 26 { capabilities.second = entry.value }  // AT_HWCAP2
    }
    return capabilities
}
#endif
#endif
