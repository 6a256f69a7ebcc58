#if arch(x86_64)
import LeapBlocks

/// This level's tile kernels for weights of a type.
func tileKernels(of type: GGMLType) -> TileKernels? {
    switch type {
    case .F32: floats
    case .F16: quants(.words, packWords, unpackTileF16, multiplyTileOfWords)
    case .BF16: quants(.words, packWords, unpackTileBF16, multiplyTileOfWords)
    case .Q4_0: quants(.Q8_0, packQ8_0, unpackTileQ4_0, multiplyTileQ4_0)
    case .Q5_0: quants(.Q8_0, packQ8_0, unpackTileQ5_0, multiplyTileQ5_0)
    case .Q8_0: quants(.Q8_0, packQ8_0, unpackTileQ8_0, multiplyTileQ8_0)
    case .IQ4_NL: quants(.Q8_0, packQ8_0, unpackTileIQ4_NL, multiplyTileQ8_0)
    case .MXFP4: quants(.Q8_0, packQ8_0, unpackTileMXFP4, multiplyTileMXFP4)
    case .Q4_1: quants(.Q8_1, packQ8_1, unpackTileQ4_1, multiplyTileQ4_1)
    case .Q5_1: quants(.Q8_1, packQ8_1, unpackTileQ5_1, multiplyTileQ5_1)
    case .Q2_K: quants(.Q8_K, packQ8_K, unpackTileQ2_K, multiplyTileQ2_K)
    case .Q3_K: quants(.Q8_K, packQ8_K, unpackTileQ3_K, multiplyTileQ3_K)
    case .Q4_K: quants(.Q8_K, packQ8_K, unpackTileQ4_K, multiplyTileQ4_K)
    case .Q5_K: quants(.Q8_K, packQ8_K, unpackTileQ5_K, multiplyTileQ5_K)
    case .Q6_K: quants(.Q8_K, packQ8_K, unpackTileQ6_K, multiplyTileQ6_K)
    case .IQ4_XS: quants(.Q8_K, packQ8_K, unpackTileIQ4_XS, multiplyTileIQ4_XS)
    default: nil
    }
}

private let floats = TileKernels(
    shape: tileShape, slabColumns: floatSlabColumns, weightTileBytes: floatTileBytes,
    activationTileBytes: floatSlabColumns * ActivationTile.step, form: .floats, pack: packFloats,
    unpack: unpackTileF32, multiply: multiplyFloatTile)

private func quants(
    _ form: PackedForm, _ pack: @escaping PackKernel, _ unpack: @escaping UnpackKernel,
    _ multiply: @escaping MultiplyKernel
) -> TileKernels {
    TileKernels(
        shape: tileShape, slabColumns: slabColumns, weightTileBytes: WeightTile.byteCount,
        activationTileBytes: ActivationTile.byteCount, form: form, pack: pack, unpack: unpack, multiply: multiply)
}

// MARK: - Multiplication

// Each function has its format's zero point as a constant, and therefore also the number of columns whose sums fit 16
// bits: 32 for quants within 16 of the zero point (16 · 16 · 127 < 2¹⁵), 16 for others (8 · 32 · 127 < 2¹⁵).

private let multiplyTileQ4_0: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), zero: 8, raise: 0, hasMinima: false)
}

private let multiplyTileQ5_0: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), zero: 16, raise: 0, hasMinima: false)
}

private let multiplyTileMXFP4: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), zero: 12, raise: 0, hasMinima: false)
}

private let multiplyTileQ4_1: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), zero: 0, raise: 0, hasMinima: true)
}

private let multiplyTileQ5_1: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), zero: 0, raise: 16, hasMinima: true)
}

private let multiplyTileQ8_0: MultiplyKernel = {
    multiplyWordTile(($0, $1, $2, $3, $4), groupSize: 32, isSuperBlock: false)
}

private let multiplyTileIQ4_XS: MultiplyKernel = {
    multiplyWordTile(($0, $1, $2, $3, $4), groupSize: 32, isSuperBlock: true)
}

private let multiplyTileOfWords: MultiplyKernel = {
    multiplyWordTile(($0, $1, $2, $3, $4), groupSize: 16, isSuperBlock: false)
}

private let multiplyTileQ2_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, partSize: 16, zero: 0, hasMinima: true)
}

private let multiplyTileQ3_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, partSize: 16, zero: 4, hasMinima: false)
}

private let multiplyTileQ4_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 32, partSize: 32, zero: 0, hasMinima: true)
}

private let multiplyTileQ5_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 32, partSize: 16, zero: 0, hasMinima: true)
}

private let multiplyTileQ6_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, partSize: 16, zero: 32, hasMinima: false)
}
#endif
