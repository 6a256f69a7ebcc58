#if X86_64 && arch(x86_64) || ARM64 && arch(arm64)
import LeapBlocks

/// The tile kernels for quants of a type, at levels that multiply signed bytes for every format.
func quantTileKernels(of type: GGMLType) -> TileKernels? {
    switch type {
    case .Q4_0: quants(.Q8_0, packQ8_0, unpackTileQ4_0, multiplyOffsetBlockTile)
    case .Q5_0: quants(.Q8_0, packQ8_0, unpackTileQ5_0, multiplyOffsetBlockTile)
    case .Q8_0: quants(.Q8_0, packQ8_0, unpackTileQ8_0, multiplyOffsetBlockTile)
    case .IQ4_NL: quants(.Q8_0, packQ8_0, unpackTileIQ4_NL, multiplyOffsetBlockTile)
    case .MXFP4: quants(.Q8_0, packQ8_0, unpackTileMXFP4, multiplyOffsetBlockTile)
    case .Q4_1: quants(.Q8_1, packQ8_1, unpackTileQ4_1, multiplyMinimumBlockTile)
    case .Q5_1: quants(.Q8_1, packQ8_1, unpackTileQ5_1, multiplyMinimumBlockTile)
    case .Q2_K: quants(.Q8_K, packQ8_K, unpackTileQ2_K, multiplyFineMinimumTile)
    case .Q3_K: quants(.Q8_K, packQ8_K, unpackTileQ3_K, multiplyFineOffsetTile)
    case .Q4_K: quants(.Q8_K, packQ8_K, unpackTileQ4_K, multiplyMinimumTile)
    case .Q5_K: quants(.Q8_K, packQ8_K, unpackTileQ5_K, multiplyMinimumTile)
    case .Q6_K: quants(.Q8_K, packQ8_K, unpackTileQ6_K, multiplyFineOffsetTile)
    case .IQ4_XS: quants(.Q8_K, packQ8_K, unpackTileIQ4_XS, multiplyOffsetTile)
    default: nil
    }
}

private func quants(
    _ form: PackedForm, _ pack: @escaping PackKernel, _ unpack: @escaping UnpackKernel,
    _ multiply: @escaping MultiplyKernel
) -> TileKernels {
    TileKernels(
        shape: tileShape, slabColumns: slabColumns, weightTileBytes: WeightTile.byteCount,
        activationTileBytes: ActivationTile.byteCount, form: form, pack: pack, unpack: unpack, multiply: multiply)
}

// MARK: - Multiplication

// One function per kind of format: `d · scale · (q − zero)` or `d · scale · q − dmin · min` with groups of 16 (fine) or
// 32 in 256-element blocks; `d · (q − zero)` or `d · q + m` in 32-element blocks.

private let multiplyOffsetTile: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 32, hasMinima: false)
}

private let multiplyMinimumTile: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 32, hasMinima: true)
}

private let multiplyFineOffsetTile: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, hasMinima: false)
}

private let multiplyFineMinimumTile: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, hasMinima: true)
}

private let multiplyOffsetBlockTile: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), hasMinima: false)
}

private let multiplyMinimumBlockTile: MultiplyKernel = {
    multiplyBlockTile(($0, $1, $2, $3, $4), hasMinima: true)
}
#endif
