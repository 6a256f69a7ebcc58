/// A block of `IQ4_NL`: 32 weights of 4 bits, each the index of a non-linear step, with one scale.
///
///     byte   0    2                 18
///            ┌────┬─────────────────┐
///            │ d  │ qs              │
///            └────┴─────────────────┘
///     d      half precision
///     qs[i]  low 4 bits: element i; high 4 bits: element i + 16
///
///     x[i] = d · steps[q[i]]
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockIQ4_NL: Block {
    /// The tensor type.
    public static var type: GGMLType { .IQ4_NL }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 18 }

    /// Offset of the scale, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the 16 bytes of indices.
    @inlinable public static var qs: Int { 2 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The values that indices select: the steps are finer near zero, where weights are denser.
    public static let steps: [Int8] = [
        -127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113,
    ]

    /// The step that element `index` selects, −127 … 113.
    public func quant(at index: Int) -> Int { Int(Self.steps[bytes.nibble(Self.qs, index)]) }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(Self.d) * Float(quant(at: index)) }
}
