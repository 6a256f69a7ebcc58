internal import LeapBlocks

/// Stores one position's key and value in half precision; see `FloatKernels.StoreKeyValue`.
func storeKeyValueHalves(
    _ key: UnsafePointer<Float>, _ value: UnsafePointer<Float>, _ headDimension: Int, _ position: Int,
    _ keys: UnsafeMutableRawPointer, _ values: UnsafeMutableRawPointer
) {
    let values = values.assumingMemoryBound(to: UInt16.self) + position * headDimension
    let column = keys.assumingMemoryBound(to: UInt16.self) + keyColumn(position, headDimension)
    // The key is rounded where the value will be, then put into its column.
    toHalf(key, values, headDimension)
    for i in 0..<headDimension { column[i * KeyValueTile.panel] = values[i] }
    toHalf(value, values, headDimension)
}

/// Stores one position's key and value as floats; see `FloatKernels.StoreKeyValue`.
func storeKeyValueFloats(
    _ key: UnsafePointer<Float>, _ value: UnsafePointer<Float>, _ headDimension: Int, _ position: Int,
    _ keys: UnsafeMutableRawPointer, _ values: UnsafeMutableRawPointer
) {
    let column = keys.assumingMemoryBound(to: Float.self) + keyColumn(position, headDimension)
    for i in 0..<headDimension { column[i * KeyValueTile.panel] = key[i] }
    (values.assumingMemoryBound(to: Float.self) + position * headDimension).update(from: value, count: headDimension)
}

/// Where a position's column begins among a head's keys, in elements.
@inline(__always)
private func keyColumn(_ position: Int, _ headDimension: Int) -> Int {
    let (panel, column) = position.quotientAndRemainder(dividingBy: KeyValueTile.panel)
    return panel * KeyValueTile.panel * headDimension + column
}
