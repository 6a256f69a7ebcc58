/// A block of `Q8_1`: 32 activations of 8 bits with one scale and their sum.
///
///     byte   0    2    4                                 36
///            ┌────┬────┬─────────────────────────────────┐
///            │ d  │ s  │ qs                              │
///            └────┴────┴─────────────────────────────────┘
///     d, s   half precision
///     qs[i]  signed byte: element i
///
///     x[i] = d · q[i];   s = d · Σ q[i]
///
/// Activations only: the sum is multiplied by the minimum of `Q4_1` and `Q5_1`, since Σ (d q + m) x = d Σ q x + m Σ x.
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ8_1: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q8_1 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 36 }

    /// Offset of the scale, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the sum of the values, half precision.
    @inlinable public static var s: Int { 2 }
    /// Offset of the 32 signed bytes of quants.
    @inlinable public static var qs: Int { 4 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, −127 … 127.
    public func quant(at index: Int) -> Int { bytes.signedByte(Self.qs + index) }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(Self.d) * Float(quant(at: index)) }

    /// The stored sum of the values.
    public var sum: Float { bytes.half(Self.s) }
}
