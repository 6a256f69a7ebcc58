/// A block of `IQ4_XS`: 256 weights of 4 bits, each the index of a non-linear step, in 8 groups with 6-bit scales.
///
///     byte   0    2          4          8                                 136
///            ┌────┬──────────┬──────────┬─────────────────────────────────┐
///            │ d  │ scales_h │ scales_l │ qs                              │
///            └────┴──────────┴──────────┴─────────────────────────────────┘
///     d              half precision
///     scales_h       16 bits: bits 2g and 2g + 1 are the upper bits of scale g
///     scales_l[j]    low 4 bits: lower bits of scale 2j; high 4 bits: of scale 2j + 1
///     qs[16g + l]    low 4 bits: element 32g + l; high 4 bits: element 32g + 16 + l
///
///     x[i] = d · (scale[i / 32] − 32) · steps[q[i]]
///
/// The steps are those of ``BlockIQ4_NL``.
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockIQ4_XS: Block {
    /// The tensor type.
    public static var type: GGMLType { .IQ4_XS }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 256 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 136 }

    /// Offset of the scale of the scales, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the 2 bytes of upper bits of the scales.
    @inlinable public static var scalesHigh: Int { 2 }
    /// Offset of the 4 bytes of lower bits of the scales.
    @inlinable public static var scalesLow: Int { 4 }
    /// Offset of the 128 bytes of indices.
    @inlinable public static var qs: Int { 8 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The step that element `index` selects, −127 … 113.
    public func quant(at index: Int) -> Int {
        Int(BlockIQ4_NL.steps[bytes.nibble(Self.qs + index / 32 * 16, index % 32)])
    }

    /// The scale of group `group` of 32 elements, −32 … 31.
    public func scale(ofGroup group: Int) -> Int {
        let low = bytes.byte(Self.scalesLow + group / 2) >> (group % 2 * 4) & 15
        let high = bytes.byte(Self.scalesHigh + group / 4) >> (group % 4 * 2) & 3
        return (low | high << 4) - 32
    }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        bytes.half(Self.d) * Float(scale(ofGroup: index / 32)) * Float(quant(at: index))
    }
}
