/// The 12 bytes in which `Q4_K` and `Q5_K` store 8 scales and 8 minima of 6 bits each.
///
///     byte      bits 7 6              bits 5 4 3 2 1 0
///     0 … 3     scale[4 + j], high    scale[j]
///     4 … 7     min[4 + j], high      min[j]
///     8 … 11    bits 7 … 4: min[4 + j], low;   bits 3 … 0: scale[4 + j], low         j = byte mod 4
public struct SixBitScales {
    let bytes: UnsafeRawPointer
    init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The scale of group `group` of 8, 0 … 63.
    public func scale(_ group: Int) -> Int {
        if group < 4 { return bytes.byte(group) & 63 }
        return bytes.byte(group + 4) & 15 | (bytes.byte(group - 4) >> 6) << 4
    }

    /// The minimum of group `group` of 8, 0 … 63.
    public func minimum(_ group: Int) -> Int {
        if group < 4 { return bytes.byte(group + 4) & 63 }
        return bytes.byte(group + 4) >> 4 | (bytes.byte(group) >> 6) << 4
    }
}
