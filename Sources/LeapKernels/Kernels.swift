public import LeapBlocks
internal import LeapKernelsPortable

#if arch(x86_64)
internal import LeapKernelsX86V3
internal import LeapKernelsX86V3VNNI
internal import LeapKernelsX86V4
#elseif arch(arm64)
internal import LeapKernelsI8MM
internal import LeapKernelsNEON
#endif

/// The kernel levels that this machine can run.
public enum Kernels {
    /// The levels that this program contains and this CPU can run, best first; the portable one is always present.
    public static let available: [KernelTable] = levels(over: portableTable)

    /// The best level that this CPU can run.
    public static let best: KernelTable = available[0]

    /// The functions of a level, or `nil` if this program does not contain it or this CPU cannot run it.
    public static func table(for level: KernelLevel) -> KernelTable? {
        available.first { $0.level == level }
    }

    /// All levels that this CPU can run on top of `base`, best first, each built on the one below it.
    static func levels(over base: KernelTable) -> [KernelTable] {
        supportedLevels().reduce([base]) { tables, level in [level(tables[0])] + tables }
    }
}

/// Constructors of the levels above the portable one, each of which builds on the table below it. A new level is one
/// line here.
private func supportedLevels() -> [(KernelTable) -> KernelTable] {
    #if arch(x86_64)
    let features = X86Features()
    return (features.v3 ? [x86V3Table] : []) + (features.v3VNNI ? [x86V3VNNITable] : [])
        + (features.v4 ? [x86V4Table] : [])
    #elseif arch(arm64)
    let features = ARMFeatures()
    return (features.dotProduct ? [neonTable] : []) + (features.i8mm ? [i8mmTable] : [])
    #else
    return []
    #endif
}
