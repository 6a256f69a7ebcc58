internal import LeapBlocks

/// This level's functions for rows of floats.
///
/// - Parameter attendHalves: A function of the level's own, where it has one.
func floatKernels(attendHalves: @escaping FloatKernels.Attend = attendHalves) -> FloatKernels {
    FloatKernels(
        rmsNorm: rmsNorm, add: add, swiGLU: swiGLU, ropeNeoX: ropeNeoX, ropeInterleaved: ropeInterleaved,
        storeKeyValueHalves: storeKeyValueHalves, storeKeyValueFloats: storeKeyValueFloats,
        attendHalves: attendHalves, attendFloats: attendFloats, combineAttention: combineAttention,
        shortConvolution: shortConvolution, toHalf: toHalf, readBytes: readBytes)
}
