#if arch(x86_64)
public import LeapBlocks

/// The base table, with what x86-64-v3 with VNNI, but without AVX-512, does faster than x86-64-v3: products of tiles.
///
/// Tiles of activations and of most weights are packed as at that level. Those of signed-byte weights are not: they
/// hold bytes here and 16-bit numbers there.
public func x86V3VNNITable(over base: KernelTable) -> KernelTable {
    base.improved(to: .x86V3VNNI, floats: { $0 }, peaks: peakKernels(), retile: retile)
}

private func retile(_ tiles: TileKernels, of type: GGMLType) -> TileKernels {
    switch type {
    case .F16, .BF16: tiles.with(multiply: multiplyTileOfWords)
    case .Q4_0: tiles.with(multiply: multiplyTileQ4_0)
    case .Q5_0: tiles.with(multiply: multiplyTileQ5_0)
    case .Q8_0: tiles.with(unpack: unpackTileQ8_0, multiply: multiplyTileQ8_0)
    case .IQ4_NL: tiles.with(unpack: unpackTileIQ4_NL, multiply: multiplyTileQ8_0)
    case .MXFP4: tiles.with(multiply: multiplyTileMXFP4)
    case .Q4_1, .Q5_1: tiles.with(multiply: multiplyTileOfMinima)
    case .Q2_K: tiles.with(multiply: multiplyTileQ2_K)
    case .Q3_K: tiles.with(multiply: multiplyTileQ3_K)
    case .Q4_K, .Q5_K: tiles.with(multiply: multiplyTileQ4_K)
    case .Q6_K: tiles.with(multiply: multiplyTileQ6_K)
    case .IQ4_XS: tiles.with(unpack: unpackTileIQ4_XS, multiply: multiplyTileIQ4_XS)
    default: tiles
    }
}

// MARK: - Multiplication

// Each function has its format's zero point as a constant; for signed bytes it is the 128 that unpacking adds.

private let multiplyTileOfWords: MultiplyKernel = {
    multiplyWordTile(($0, $1, $2, $3, $4), groupSize: 16, isSuperBlock: false)
}

private let multiplyTileQ4_0: MultiplyKernel = { multiplyBlockTile(($0, $1, $2, $3, $4), zero: 8, hasMinima: false) }
private let multiplyTileQ5_0: MultiplyKernel = { multiplyBlockTile(($0, $1, $2, $3, $4), zero: 16, hasMinima: false) }
private let multiplyTileMXFP4: MultiplyKernel = { multiplyBlockTile(($0, $1, $2, $3, $4), zero: 12, hasMinima: false) }
private let multiplyTileQ8_0: MultiplyKernel = { multiplyBlockTile(($0, $1, $2, $3, $4), zero: 128, hasMinima: false) }
private let multiplyTileOfMinima: MultiplyKernel = { multiplyBlockTile(($0, $1, $2, $3, $4), zero: 0, hasMinima: true) }

private let multiplyTileQ2_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, zero: 0, hasMinima: true)
}

private let multiplyTileQ3_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, zero: 4, hasMinima: false)
}

private let multiplyTileQ4_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 32, zero: 0, hasMinima: true)
}

private let multiplyTileQ6_K: MultiplyKernel = {
    multiplySuperBlockTile(($0, $1, $2, $3, $4), groupSize: 16, zero: 32, hasMinima: false)
}

private let multiplyTileIQ4_XS: MultiplyKernel = { multiplyScaledGroupTile(($0, $1, $2, $3, $4), zero: 128) }
#endif
