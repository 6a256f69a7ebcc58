#if arch(arm64)
import LeapBlocks

/// This level's tile kernels for weights of a type.
func tileKernels(of type: GGMLType) -> TileKernels? {
    switch type {
    case .F32: floats(unpackTileF32)
    case .F16: floats(unpackTileF16)
    case .BF16: floats(unpackTileBF16)
    default: quantTileKernels(of: type)
    }
}

/// Tiles of floats, except where Accelerate is available: it uses matrix units that no instruction of this level
/// reaches, and does these multiplications instead.
private func floats(_ unpack: @escaping UnpackKernel) -> TileKernels? {
    #if canImport(Accelerate)
    return nil
    #else
    return TileKernels(
        shape: tileShape, slabColumns: floatSlabColumns, weightTileBytes: floatWeightBytes,
        activationTileBytes: floatActivationBytes, form: .floats, pack: packFloats, unpack: unpack,
        multiply: multiplyFloatTile)
    #endif
}
#endif
