public import LeapBlocks
internal import LeapKernelsPortable

#if arch(x86_64)
internal import LeapKernelsX86V3
internal import LeapKernelsX86V4
#elseif arch(arm64)
internal import LeapKernelsNEON
#endif

/// The kernel levels that this machine can run.
public enum Kernels {
    /// The levels that this program has and this CPU can run, best first; the portable one is always there.
    public static let available: [KernelTable] = supportedLevels() + [portableTable]

    /// The best level that this CPU can run.
    public static let best: KernelTable = available[0]

    /// The functions of a level, or `nil` where this program lacks it or this CPU cannot run it.
    public static func table(for level: KernelLevel) -> KernelTable? {
        available.first { $0.level == level }
    }
}

/// The levels above the portable one, best first. A new level is one line here.
private func supportedLevels() -> [KernelTable] {
    #if arch(x86_64)
    let features = X86Features()
    return (features.v4 ? [x86V4Table] : []) + (features.v3 ? [x86V3Table] : [])
    #elseif arch(arm64)
    return ARMFeatures().dotProduct ? [neonTable] : []
    #else
    return []
    #endif
}
