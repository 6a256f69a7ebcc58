/// A block of `Q6_K`: 256 weights of 6 bits in 16 groups with 8-bit scales.
///
///     byte   0                                 128              192              208  210
///            ┌─────────────────────────────────┬────────────────┬────────────────┬────┐
///            │ ql                              │ qh             │ scales         │ d  │
///            └─────────────────────────────────┴────────────────┴────────────────┴────┘
///     ql[64h + l]    l < 64: low 4 bits belong to element 128h + l, high 4 bits to element 128h + 64 + l
///     qh[32h + l]    bits 2k and 2k + 1: upper bits of element 128h + 32k + l
///     scales[g]      signed byte: scale of group g
///     d              half precision
///
///     x[i] = d · scale[i / 16] · (q[i] − 32)
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ6_K: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q6_K }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 256 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 210 }

    /// Offset of the 128 bytes of lower bits.
    @inlinable public static var ql: Int { 0 }
    /// Offset of the 64 bytes of upper bits.
    @inlinable public static var qh: Int { 128 }
    /// Offset of the 16 signed bytes of scales.
    @inlinable public static var scales: Int { 192 }
    /// Offset of the scale of the scales, half precision.
    @inlinable public static var d: Int { 208 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, −32 … 31.
    public func quant(at index: Int) -> Int {
        let (half, inHalf) = (index / 128, index % 128)
        let low = bytes.byte(Self.ql + 64 * half + inHalf % 64) >> (inHalf / 64 * 4) & 15
        let high = bytes.byte(Self.qh + 32 * half + inHalf % 32) >> (inHalf / 32 * 2) & 3
        return (low | high << 4) - 32
    }

    /// The scale of group `group` of 16 elements, −128 … 127.
    public func scale(ofGroup group: Int) -> Int { bytes.signedByte(Self.scales + group) }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        bytes.half(Self.d) * Float(scale(ofGroup: index / 16)) * Float(quant(at: index))
    }
}
