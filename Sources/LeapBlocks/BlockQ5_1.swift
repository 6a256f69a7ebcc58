/// A block of `Q5_1`: 32 weights of 5 bits with a scale and a minimum.
///
///     byte   0    2    4      8                 24
///            ┌────┬────┬──────┬─────────────────┐
///            │ d  │ m  │ qh   │ qs              │
///            └────┴────┴──────┴─────────────────┘
///     d, m   half precision
///     qh     32 bits, least significant first: bit i is the fifth bit of element i
///     qs[i]  low 4 bits: element i; high 4 bits: element i + 16
///
///     x[i] = d · q[i] + m
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ5_1: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q5_1 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 24 }

    /// Offset of the scale, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the minimum, half precision.
    @inlinable public static var m: Int { 2 }
    /// Offset of the 4 bytes of fifth bits.
    @inlinable public static var qh: Int { 4 }
    /// Offset of the 16 bytes of lower bits.
    @inlinable public static var qs: Int { 8 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, 0 … 31.
    public func quant(at index: Int) -> Int {
        bytes.nibble(Self.qs, index) | bytes.bit(Self.qh, index) << 4
    }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(Self.d) * Float(quant(at: index)) + bytes.half(Self.m) }
}
