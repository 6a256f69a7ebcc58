/// A block of `Q4_0`: 32 weights of 4 bits with one scale.
///
///     byte   0    2                 18
///            ┌────┬─────────────────┐
///            │ d  │ qs              │
///            └────┴─────────────────┘
///     d      half precision
///     qs[i]  low 4 bits: element i; high 4 bits: element i + 16
///
///     x[i] = d · (q[i] − 8)
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ4_0: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q4_0 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 18 }

    /// Offset of the scale, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the 16 bytes of quants.
    @inlinable public static var qs: Int { 2 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, −8 … 7.
    public func quant(at index: Int) -> Int { bytes.nibble(Self.qs, index) - 8 }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(Self.d) * Float(quant(at: index)) }
}
