#if arch(x86_64)
internal import _Builtin_intrinsics.intel.cpuid

/// CPU features and operating system support beyond the x86-64 baseline.
///
/// The CPU's flags say what it can do. Vector registers wider than the baseline's also need the operating system, which
/// must save them on a context switch: the size of the save area shows which ones it has enabled. Source: Intel 64 and
/// IA-32 Architectures Software Developer's Manual, volume 1, chapter 13, and volume 2, CPUID.
struct X86Features {
    /// x86-64-v3: AVX2, FMA, F16C, BMI1, BMI2, MOVBE, LZCNT, with their registers enabled.
    let v3: Bool
    /// x86-64-v3 with AVX-VNNI.
    let v3VNNI: Bool
    /// x86-64-v4 with VNNI: AVX-512 F, BW, CD, DQ, VL and VNNI, with their registers enabled.
    let v4: Bool

    /// Queries the CPU that the program runs on.
    init() {
        let basic = CPUIDLeaf(1)
        let extended = CPUIDLeaf(7)
        let amd = CPUIDLeaf(0x8000_0001)
        v3 =
            basic.ecx.has(Bits.fma | Bits.sse42 | Bits.movbe | Bits.popcnt | Bits.osxsave | Bits.avx | Bits.f16c)
            && extended.ebx.has(Bits.bmi1 | Bits.avx2 | Bits.bmi2)
            && amd.ecx.has(Bits.lzcnt)
            && SaveArea.standardSize >= SaveArea.withAVX
        v3VNNI = v3 && CPUIDLeaf(7, 1).eax.has(Bits.avxVNNI)
        v4 =
            v3
            && extended.ebx.has(
                Bits.avx512f | Bits.avx512dq | Bits.avx512cd | Bits.avx512bw | Bits.avx512vl)
            && extended.ecx.has(Bits.avx512vnni)
            && SaveArea.compactSize >= SaveArea.withAVX512
    }
}

/// Flags of CPUID leaves 1 (ecx), 7 (ebx, ecx; eax of subleaf 1) and 0x80000001 (ecx).
private enum Bits {
    static let fma: UInt32 = 1 << 12
    static let sse42: UInt32 = 1 << 20
    static let movbe: UInt32 = 1 << 22
    static let popcnt: UInt32 = 1 << 23
    static let osxsave: UInt32 = 1 << 27
    static let avx: UInt32 = 1 << 28
    static let f16c: UInt32 = 1 << 29

    static let bmi1: UInt32 = 1 << 3
    static let avx2: UInt32 = 1 << 5
    static let bmi2: UInt32 = 1 << 8
    static let avx512f: UInt32 = 1 << 16
    static let avx512dq: UInt32 = 1 << 17
    static let avx512cd: UInt32 = 1 << 28
    static let avx512bw: UInt32 = 1 << 30
    static let avx512vl: UInt32 = 1 << 31
    static let avx512vnni: UInt32 = 1 << 11

    static let avxVNNI: UInt32 = 1 << 4

    static let lzcnt: UInt32 = 1 << 5
}

/// The area that holds a task's saved registers, for the state components that the operating system has enabled.
///
/// XGETBV, which reports them directly, is not available to Swift as a function. In the standard layout a component has
/// a fixed offset, so that a later one hides the absence of an earlier one; in the compact layout the sizes of the
/// enabled components add up: 512 + 64 for x87 and SSE, 256 for AVX, and 64 + 512 + 1024 for AVX-512. All other
/// components except AMX's are far smaller than AVX-512's, and no system enables AMX without AVX-512. On macOS, which
/// enables AVX-512 at a program's first use of it, AVX-512 is not detected and AVX2 is used.
private enum SaveArea {
    static let withAVX: UInt32 = 512 + 64 + 256
    static let withAVX512: UInt32 = withAVX + 64 + 512 + 1024

    static var standardSize: UInt32 { CPUIDLeaf(0xD, 0).ebx }
    static var compactSize: UInt32 { CPUIDLeaf(0xD, 1).ebx }
}

/// The registers that CPUID returns; zero if the CPU does not support the leaf.
private struct CPUIDLeaf {
    private(set) var eax: UInt32 = 0
    private(set) var ebx: UInt32 = 0
    private(set) var ecx: UInt32 = 0
    private(set) var edx: UInt32 = 0

    init(_ leaf: UInt32, _ subleaf: UInt32 = 0) {
        guard __get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx) != 0 else {
            (eax, ebx, ecx, edx) = (0, 0, 0, 0)
            return
        }
    }
}

extension UInt32 {
    fileprivate func has(_ bits: UInt32) -> Bool { self & bits == bits }
}
#endif
