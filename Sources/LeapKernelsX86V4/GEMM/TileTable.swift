#if arch(x86_64)
import LeapBlocks

/// This level's tile kernels for weights of a type.
func tileKernels(of type: GGMLType) -> TileKernels? {
    switch type {
    case .F32: floats
    case .F16: words(unpackTileF16)
    case .BF16: words(unpackTileBF16)
    // The bounds are 32,767 divided by the largest magnitude of a quant: 15, 31 and 32.
    case .Q4_K:
        quantTileKernels(of: type)?.with {
            multiplyPairedTile(($0, $1, $2, $3, $4), groupSize: 32, hasMinima: true, largest: 2184)
        }
    case .Q5_K:
        quantTileKernels(of: type)?.with {
            multiplyPairedTile(($0, $1, $2, $3, $4), groupSize: 32, hasMinima: true, largest: 1057)
        }
    case .Q6_K:
        quantTileKernels(of: type)?.with {
            multiplyPairedTile(($0, $1, $2, $3, $4), groupSize: 16, hasMinima: false, largest: 1023)
        }
    case .Q2_K: quantTileKernels(of: type)?.with { multiplyScaledTile(($0, $1, $2, $3, $4), minima: 16) }
    case .Q3_K: quantTileKernels(of: type)?.with { multiplyScaledTile(($0, $1, $2, $3, $4), minima: 0) }
    default: quantTileKernels(of: type)
    }
}

private let floats = TileKernels(
    shape: tileShape, slabColumns: floatSlabColumns, weightTileBytes: floatTileBytes,
    activationTileBytes: floatSlabColumns * ActivationTile.step, form: .floats, pack: packFloats, unpack: unpackTileF32,
    multiply: multiplyFloatTile)

private func words(_ unpack: @escaping UnpackKernel) -> TileKernels {
    TileKernels(
        shape: tileShape, slabColumns: slabColumns, weightTileBytes: WeightWordTile.byteCount,
        activationTileBytes: ActivationWordTile.byteCount, form: .words, pack: packWords, unpack: unpack,
        multiply: { multiplyWordTile(($0, $1, $2, $3, $4)) })
}
#endif
