/// A block of `Q8_K`: 256 activations of 8 bits with one scale and the sums of their groups.
///
///     byte   0      4                                 260              292
///            ┌──────┬─────────────────────────────────┬────────────────┐
///            │ d    │ qs                              │ bsums          │
///            └──────┴─────────────────────────────────┴────────────────┘
///     d          single precision
///     qs[i]      signed byte: element i
///     bsums[g]   16-bit signed sum of qs[16g …< 16g + 16]
///
///     x[i] = d · q[i]
///
/// Activations only: the sums are multiplied by the weights' minima, since Σ (d q − m) x = d Σ q x − m Σ x.
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ8_K: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q8_K }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 256 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 292 }

    /// Offset of the scale, single precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the 256 signed bytes of quants.
    @inlinable public static var qs: Int { 4 }
    /// Offset of the 16 sums, 16-bit signed.
    @inlinable public static var bsums: Int { 260 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, −127 … 127.
    public func quant(at index: Int) -> Int { bytes.signedByte(Self.qs + index) }

    /// The stored sum of the quants of group `group` of 16 elements.
    public func sum(ofGroup group: Int) -> Int {
        Int(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: Self.bsums + 2 * group, as: Int16.self)))
    }

    /// The scale.
    public var scale: Float {
        Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: Self.d, as: UInt32.self)))
    }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { scale * Float(quant(at: index)) }
}
