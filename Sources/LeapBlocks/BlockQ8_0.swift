/// A block of `Q8_0`: 32 weights or activations of 8 bits with one scale.
///
///     byte   0    2                                 34
///            ┌────┬─────────────────────────────────┐
///            │ d  │ qs                              │
///            └────┴─────────────────────────────────┘
///     d      half precision
///     qs[i]  signed byte: element i
///
///     x[i] = d · q[i]
///
/// As activations the quants are −127 … 127, because `d` is the largest magnitude divided by 127.
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ8_0: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q8_0 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 34 }

    /// Offset of the scale, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the 32 signed bytes of quants.
    @inlinable public static var qs: Int { 2 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, −128 … 127.
    public func quant(at index: Int) -> Int { bytes.signedByte(Self.qs + index) }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(Self.d) * Float(quant(at: index)) }
}
