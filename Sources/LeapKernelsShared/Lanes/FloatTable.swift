#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// This level's functions on rows of floats.
func floatKernels() -> FloatKernels {
    FloatKernels(
        rmsNorm: rmsNorm, layerNorm: layerNorm, gelu: gelu, exactGELU: exactGELU, add: add, addScaled: addScaled,
        softCap: softCap, softmax: softmax, swiGLU: swiGLU, geGLU: geGLU, exactGEGLU: exactGEGLU,
        boundedSwiGLU: boundedSwiGLU, sigmoidGLU: sigmoidGLU, ropeNeoX: ropeNeoX, ropeInterleaved: ropeInterleaved,
        storeKeyValue: storeKeyValue, prepareQueries: prepareQueries, attend: attend,
        combineAttention: combineAttention, shortConvolution: shortConvolution, causalConvolution: causalConvolution,
        deltaRule: deltaRule, stateSpace: stateSpace, toHalf: toHalf, copyRows: copyRows,
        prefetchRows: prefetchRows, readBytes: readBytes)
}
#endif
