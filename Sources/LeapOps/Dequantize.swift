public import LeapBlocks
import LeapKernels

/// Dequantises a tensor's bytes to floats, outside of a forward pass.
///
/// - Parameters:
///   - bytes: Whole blocks of `type`, a supported weight type.
///   - destination: Room for all elements.
public func dequantize(
    _ bytes: UnsafeRawBufferPointer, of type: GGMLType, into destination: UnsafeMutablePointer<Float>
) {
    guard let kernel = Kernels.best[type]?.dequantize, let base = bytes.baseAddress else { return }
    kernel(base, destination, bytes.count / type.bytesPerBlock)
}
