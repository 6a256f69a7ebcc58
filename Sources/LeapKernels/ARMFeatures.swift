#if arch(arm64)
#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// What the CPU offers beyond the baseline of arm64.
struct ARMFeatures {
    /// The dot product instructions of Armv8.2, and half-precision arithmetic, which every CPU with them has.
    let dotProduct: Bool

    /// Asks the operating system, since only it may ask the CPU.
    init() {
        #if canImport(Darwin)
        var value: Int32 = 0
        var size = MemoryLayout<Int32>.size
        dotProduct = sysctlbyname("hw.optional.arm.FEAT_DotProd", &value, &size, nil, 0) == 0 && value != 0
        #else
        // The kernel's `AT_HWCAP` and `HWCAP_ASIMDDP`.
        let capabilities = getauxval(16)
        dotProduct = capabilities & (1 << 20) != 0
        #endif
    }
}
#endif
