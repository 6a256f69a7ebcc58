/// A block of `Q4_K`: 256 weights of 4 bits in 8 groups with 6-bit scales and minima.
///
///     byte   0    2      4        16                                144
///            ┌────┬──────┬────────┬─────────────────────────────────┐
///            │ d  │ dmin │ scales │ qs                              │
///            └────┴──────┴────────┴─────────────────────────────────┘
///     d, dmin        half precision
///     scales         8 scales and 8 minima of 6 bits, see ``SixBitScales``
///     qs[32p + l]    low 4 bits: element 64p + l; high 4 bits: element 64p + 32 + l
///
///     x[i] = d · scale[i / 32] · q[i] − dmin · min[i / 32]
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockQ4_K: Block {
    /// The tensor type.
    public static var type: GGMLType { .Q4_K }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 256 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 144 }

    /// Offset of the scale of the scales, half precision.
    @inlinable public static var d: Int { 0 }
    /// Offset of the scale of the minima, half precision.
    @inlinable public static var dmin: Int { 2 }
    /// Offset of the 12 bytes of scales and minima.
    @inlinable public static var scales: Int { 4 }
    /// Offset of the 128 bytes of quants.
    @inlinable public static var qs: Int { 16 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The integer that the bits of element `index` mean, 0 … 15.
    public func quant(at index: Int) -> Int {
        let (pair, shift, byte) = (index / 64, index % 64 / 32 * 4, index % 32)
        return bytes.byte(Self.qs + 32 * pair + byte) >> shift & 15
    }

    /// The scales and minima of the 8 groups of 32 elements.
    public var groups: SixBitScales { SixBitScales(bytes + Self.scales) }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        let group = index / 32
        return bytes.half(Self.d) * Float(groups.scale(group)) * Float(quant(at: index))
            - bytes.half(Self.dmin) * Float(groups.minimum(group))
    }
}
