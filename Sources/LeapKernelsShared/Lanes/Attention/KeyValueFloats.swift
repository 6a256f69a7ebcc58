#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

// Converts a tile's keys and values to floats, in the layout that `KeyValueTile` defines for types other than `q8_0`.

/// Converts whole panels of keys. `type` is not `f32`.
@inline(__always)
func convertKeys(
    _ keys: UnsafeRawPointer, _ type: KeyValueType, panels: Int, _ headDimension: Int,
    to floats: UnsafeMutablePointer<Float>
) {
    switch type {
    case .q8_0: convertKeyGroups(keys, panels: panels, headDimension, to: floats)
    case .bf16: dequantizeBF16(keys, floats, panels * KeyValueTile.panel * headDimension)
    default: dequantizeF16(keys, floats, panels * KeyValueTile.panel * headDimension)
    }
}

/// Converts the values of some positions. `type` is not `f32`.
@inline(__always)
func convertValues(
    _ values: UnsafeRawPointer, _ type: KeyValueType, positions: Int, _ headDimension: Int,
    to floats: UnsafeMutablePointer<Float>
) {
    switch type {
    case .q8_0: convertValueGroups(values, positions: positions, headDimension, to: floats)
    case .bf16: dequantizeBF16(values, floats, positions * headDimension)
    default: dequantizeF16(values, floats, positions * headDimension)
    }
}

/// Keys in `q8_0`: groups of `[32, panel]` follow each other, like panels of floats.
@inline(never)
private func convertKeyGroups(
    _ keys: UnsafeRawPointer, panels: Int, _ headDimension: Int, to floats: UnsafeMutablePointer<Float>
) {
    let panel = KeyValueTile.panel
    for group in 0..<panels * headDimension / KeyValueTile.group {
        let scales = (keys + group * KeyValueTile.groupBytes(positions: panel)).assumingMemoryBound(to: UInt16.self)
        let quants = UnsafeRawPointer(scales + panel).assumingMemoryBound(to: Int8.self)
        let target = floats + group * KeyValueTile.group * panel
        for column in stride(from: 0, to: panel, by: Lanes.scalarCount) {
            let scale = loadHalves(scales + column)
            for place in stride(from: column, to: KeyValueTile.group * panel, by: panel) {
                store(loadSignedBytes(quants + place) * scale, to: target + place)
            }
        }
    }
}

/// Values in `q8_0`.
@inline(never)
private func convertValueGroups(
    _ values: UnsafeRawPointer, positions: Int, _ headDimension: Int, to floats: UnsafeMutablePointer<Float>
) {
    for group in 0..<headDimension / KeyValueTile.group {
        let scales = values + group * KeyValueTile.groupBytes(positions: KeyValueTile.positions)
        let quants = (scales + 2 * KeyValueTile.positions).assumingMemoryBound(to: Int8.self)
        for position in 0..<positions {
            let scale = Lanes(repeating: loadHalf(scales + 2 * position))
            let source = quants + position * KeyValueTile.group
            let target = floats + (position * headDimension + group * KeyValueTile.group)
            for i in stride(from: 0, to: KeyValueTile.group, by: Lanes.scalarCount) {
                store(loadSignedBytes(source + i) * scale, to: target + i)
            }
        }
    }
}
#endif
