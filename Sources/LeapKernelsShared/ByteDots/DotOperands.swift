#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
// The walk over rows, columns and blocks that the levels with instructions for bytes have in common. It is written in
// terms of `Lanes` and of what a level says about a format; what a block means to registers is in the level's folder.
//
// Groups of values are tuples: a struct that several files see gets runtime metadata in a debug build, whose copy
// functions are weak symbols, named by size alone, that all levels would share.

/// The operands of a `DotKernel` call, in the order of its parameters.
typealias DotOperands = (
    weights: UnsafeRawPointer, weightStride: Int, rows: Int,
    activations: UnsafeRawPointer, activationStride: Int, columns: Int,
    blocks: Int,
    output: UnsafeMutablePointer<Float>, outputStride: Int
)
#endif
