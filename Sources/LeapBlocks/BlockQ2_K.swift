/// A block of `Q2_K`: 256 weights of 2 bits in 16 groups with 4-bit scales and minima.
///
///     byte   0                16                                80   82     84
///            ┌────────────────┬─────────────────────────────────┬────┬──────┐
///            │ scales         │ qs                              │ d  │ dmin │
///            └────────────────┴─────────────────────────────────┴────┴──────┘
///     scales[g]      low 4 bits: scale of group g; high 4 bits: its minimum
///     qs[32h + l]    bits 2k and 2k + 1: element 128h + 32k + l
///     d, dmin        half precision
///
///     x[i] = d · scale[i / 16] · q[i] − dmin · min[i / 16]
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ2_K: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q2_K }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 256 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 84 }

    /// Offset of the 16 bytes of scales and minima.
    @inlinable public static var scales: Int { 0 }
    /// Offset of the 64 bytes of quants.
    @inlinable public static var qs: Int { 16 }
    /// Offset of the scale of the scales, half precision.
    @inlinable public static var d: Int { 80 }
    /// Offset of the scale of the minima, half precision.
    @inlinable public static var dmin: Int { 82 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, 0 … 3.
    public func quant(at index: Int) -> Int {
        let (half, shift, byte) = (index / 128, index % 128 / 32 * 2, index % 32)
        return bytes.byte(Self.qs + 32 * half + byte) >> shift & 3
    }

    /// The scale of group `group` of 16 elements, 0 … 15.
    public func scale(ofGroup group: Int) -> Int { bytes.byte(Self.scales + group) & 15 }

    /// The minimum of group `group` of 16 elements, 0 … 15.
    public func minimum(ofGroup group: Int) -> Int { bytes.byte(Self.scales + group) >> 4 }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        let group = index / 16
        return bytes.half(Self.d) * Float(scale(ofGroup: group)) * Float(quant(at: index))
            - bytes.half(Self.dmin) * Float(minimum(ofGroup: group))
    }
}
