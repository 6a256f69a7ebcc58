internal import LeapBlocks

/// This level's functions for rows of floats.
///
/// - Parameter attend: A function of the level's own, where it has one.
func floatKernels(attend: @escaping FloatKernels.Attend = attend) -> FloatKernels {
    FloatKernels(
        rmsNorm: rmsNorm, add: add, swiGLU: swiGLU, ropeNeoX: ropeNeoX, ropeInterleaved: ropeInterleaved,
        storeKeyValue: storeKeyValue, attend: attend, combineAttention: combineAttention,
        shortConvolution: shortConvolution, toHalf: toHalf, readBytes: readBytes)
}
