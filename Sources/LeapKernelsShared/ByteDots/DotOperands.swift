#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
// The loops over rows, columns and blocks that the levels with byte-multiply instructions share. They are written in
// terms of `Lanes` and of what a level defines for a format; how a level holds a block in registers is in the level's
// folder.
//
// Groups of values are tuples: a struct used in several files gets runtime metadata in a debug build, and the copy
// functions of that metadata are weak symbols, named by size alone, which the linker would merge across levels.

/// The operands of a `DotKernel` call, in the order of its parameters.
typealias DotOperands = (
    weights: UnsafeRawPointer, weightStride: Int, rows: Int,
    activations: UnsafeRawPointer, activationStride: Int, columns: Int,
    blocks: Int,
    output: UnsafeMutablePointer<Float>, outputStride: Int
)
#endif
