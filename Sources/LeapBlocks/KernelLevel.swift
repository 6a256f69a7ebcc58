/// An instruction set that kernels are compiled for. Ordered from the most basic to the newest within an architecture.
public enum KernelLevel: String, Sendable, CaseIterable {
    /// Plain Swift for any CPU that the compiler's baseline covers.
    case portable
    /// x86-64-v3: AVX2, FMA, F16C.
    case x86V3 = "x86-v3"
    /// x86-64-v3 with AVX-VNNI: the byte dot products of AVX-512 VNNI, without AVX-512.
    case x86V3VNNI = "x86-v3-vnni"
    /// x86-64-v4 with VNNI: AVX-512 F, BW, CD, DQ, VL and VNNI.
    case x86V4 = "x86-v4"
    /// arm64 with the dot product instructions of Armv8.2.
    case neon
    /// ``neon`` with the 8-bit matrix multiplication of Armv8.6.
    case i8mm
}
