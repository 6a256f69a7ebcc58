/// A block of `Q4_1`: 32 weights of 4 bits with a scale and a minimum.
///
///     byte   0    2    4                 20
///            ┌────┬────┬─────────────────┐
///            │ d  │ m  │ qs              │
///            └────┴────┴─────────────────┘
///     d, m   half precision
///     qs[i]  low 4 bits: element i; high 4 bits: element i + 16
///
///     x[i] = d · q[i] + m
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ4_1: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q4_1 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 20 }

    /// Offset of the scale, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the minimum, half precision.
    @inlinable public static var m: Int { 2 }
    /// Offset of the 16 bytes of quants.
    @inlinable public static var qs: Int { 4 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, 0 … 15.
    public func quant(at index: Int) -> Int { bytes.nibble(Self.qs, index) }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(Self.d) * Float(quant(at: index)) + bytes.half(Self.m) }
}
