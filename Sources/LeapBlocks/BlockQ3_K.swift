/// A block of `Q3_K`: 256 weights of 3 bits in 16 groups with 6-bit scales.
///
///     byte   0                32                                96       108  110
///            ┌────────────────┬─────────────────────────────────┬────────┬────┐
///            │ hmask          │ qs                              │ scales │ d  │
///            └────────────────┴─────────────────────────────────┴────────┴────┘
///     hmask[l]       bit k: third bit of element 32k + l
///     qs[32h + l]    bits 2k and 2k + 1: lower bits of element 128h + 32k + l
///     scales         bytes 0 … 7: low 4 bits of scales 0 … 7 (low half) and 8 … 15 (high half);
///                    byte 8 + j: high 2 bits of scales j, j + 4, j + 8, j + 12, two bits each from the lowest
///     d              half precision
///
///     x[i] = d · (scale[i / 16] − 32) · (q[i] − 4)
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ3_K: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q3_K }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 256 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 110 }

    /// Offset of the 32 bytes of third bits.
    @inlinable public static var hmask: Int { 0 }
    /// Offset of the 64 bytes of lower bits.
    @inlinable public static var qs: Int { 32 }
    /// Offset of the 12 bytes of scales.
    @inlinable public static var scales: Int { 96 }
    /// Offset of the scale of the scales, half precision.
    @inlinable public static var d: Int { 108 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, −4 … 3.
    public func quant(at index: Int) -> Int {
        let (half, shift, byte) = (index / 128, index % 128 / 32 * 2, index % 32)
        let low = bytes.byte(Self.qs + 32 * half + byte) >> shift & 3
        let high = bytes.byte(Self.hmask + byte) >> (index / 32) & 1
        return (low | high << 2) - 4
    }

    /// The scale of group `group` of 16 elements, −32 … 31.
    public func scale(ofGroup group: Int) -> Int {
        let low = bytes.byte(Self.scales + group % 8) >> (group / 8 * 4) & 15
        let high = bytes.byte(Self.scales + 8 + group % 4) >> (group / 4 * 2) & 3
        return (low | high << 4) - 32
    }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        bytes.half(Self.d) * Float(scale(ofGroup: index / 16)) * Float(quant(at: index))
    }
}
