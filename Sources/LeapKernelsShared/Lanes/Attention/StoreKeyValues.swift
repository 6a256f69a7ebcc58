#if PORTABLE || X86_64 && arch(x86_64) || ARM64 && arch(arm64)
internal import LeapBlocks

/// Stores one position's key and value; see `FloatKernels.StoreKeyValue`.
func storeKeyValue(
    _ key: UnsafePointer<Float>, _ value: UnsafePointer<Float>, _ headDimension: Int, _ position: Int,
    _ keys: UnsafeMutableRawPointer, _ keyType: UInt32, _ values: UnsafeMutableRawPointer, _ valueType: UInt32
) {
    storeKey(key, headDimension, position, keys, KeyValueType(kernelArgument: keyType))
    storeValue(value, headDimension, position, values, KeyValueType(kernelArgument: valueType))
}

// MARK: - Keys

/// Writes a key into its column of a panel, whose elements are a stride apart. Types whose conversion is vectorised are
/// first converted in contiguous pieces of 32 elements.
@inline(__always)
private func storeKey(
    _ key: UnsafePointer<Float>, _ headDimension: Int, _ position: Int, _ keys: UnsafeMutableRawPointer,
    _ type: KeyValueType
) {
    let (panel, column) = position.quotientAndRemainder(dividingBy: KeyValueTile.panel)
    let first = panel * KeyValueTile.panel * headDimension + column
    switch type {
    case .f32:
        let target = keys.assumingMemoryBound(to: Float.self) + first
        for i in 0..<headDimension { target[i * KeyValueTile.panel] = key[i] }
    case .f16:
        let target = keys.assumingMemoryBound(to: UInt16.self) + first
        forEachPiece(headDimension) { start, count, piece in
            let halves = piece.assumingMemoryBound(to: UInt16.self)
            toHalf(key + start, halves, count)
            for i in 0..<count { target[(start + i) * KeyValueTile.panel] = halves[i] }
        }
    case .bf16:
        let target = keys.assumingMemoryBound(to: UInt16.self) + first
        for i in 0..<headDimension { target[i * KeyValueTile.panel] = brainFloatBits(key[i]) }
    case .q8_0:
        let bytes = KeyValueTile.groupBytes(positions: KeyValueTile.panel)
        let groups = keys + panel * headDimension / KeyValueTile.group * bytes
        forEachPiece(headDimension) { start, _, piece in
            let scales = groups + start / KeyValueTile.group * bytes
            let target = (scales + 2 * KeyValueTile.panel).assumingMemoryBound(to: Int8.self) + column
            let quants = piece.assumingMemoryBound(to: Int8.self)
            storeHalf(quantize32(key + start, quants).d, to: scales + 2 * column)
            for i in 0..<KeyValueTile.group { target[i * KeyValueTile.panel] = quants[i] }
        }
    }
}

/// Calls `body` for every 32 elements of a head and for the remainder, with a buffer for 32 16-bit numbers.
@inline(__always)
private func forEachPiece(
    _ headDimension: Int, _ body: (_ start: Int, _ count: Int, _ piece: UnsafeMutableRawPointer) -> Void
) {
    var piece = SIMD32<UInt16>(repeating: 0)
    withUnsafeMutablePointer(to: &piece) { piece in
        for start in stride(from: 0, to: headDimension, by: 32) {
            body(start, min(32, headDimension - start), UnsafeMutableRawPointer(piece))
        }
    }
}

// MARK: - Values

@inline(__always)
private func storeValue(
    _ value: UnsafePointer<Float>, _ headDimension: Int, _ position: Int, _ values: UnsafeMutableRawPointer,
    _ type: KeyValueType
) {
    let first = position * headDimension
    switch type {
    case .f32:
        (values.assumingMemoryBound(to: Float.self) + first).update(from: value, count: headDimension)
    case .f16:
        toHalf(value, values.assumingMemoryBound(to: UInt16.self) + first, headDimension)
    case .bf16:
        let target = values.assumingMemoryBound(to: UInt16.self) + first
        for i in 0..<headDimension { target[i] = brainFloatBits(value[i]) }
    case .q8_0:
        for group in 0..<headDimension / KeyValueTile.group {
            let scales = values + group * KeyValueTile.groupBytes(positions: KeyValueTile.positions)
            let quants = scales + (2 * KeyValueTile.positions + position * KeyValueTile.group)
            storeHalf(quantize32(value + group * KeyValueTile.group, quants).d, to: scales + 2 * position)
        }
    }
}

// MARK: - Brain floats

/// The upper half of a float, rounded to nearest even; NaN stays a (quiet) NaN.
@inline(__always)
private func brainFloatBits(_ x: Float) -> UInt16 {
    let bits = x.bitPattern
    let rounded = (bits &+ 0x7FFF &+ (bits &>> 16 & 1)) &>> 16
    let isNaN = bits & 0x7FFF_FFFF > 0x7F80_0000
    return UInt16(truncatingIfNeeded: isNaN ? bits &>> 16 | 0x40 : rounded)
}
#endif
