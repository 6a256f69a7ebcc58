#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
/// Writes `dot(weightRow, activationRow)` for every row and column; the parameters are those of `DotKernel`, in order.
///
/// Operands are passed as parameters and tuples, never as a struct used in several files: in a debug build such a
/// struct gets runtime metadata, whose copy functions are weak symbols that the linker would merge across levels.
@inline(__always)
func forEachDot(
    _ weights: UnsafeRawPointer, _ weightStride: Int, _ rows: Int,
    _ activations: UnsafeRawPointer, _ activationStride: Int, _ columns: Int,
    _ output: UnsafeMutablePointer<Float>, _ outputStride: Int,
    dot: (_ weights: UnsafeRawPointer, _ activations: UnsafeRawPointer) -> Float
) {
    for r in 0..<rows {
        for c in 0..<columns {
            output[c * outputStride + r] = dot(weights + r * weightStride, activations + c * activationStride)
        }
    }
}
#endif
