/// A block of `MXFP4`: 32 weights in 4-bit floating point with one power of two as scale.
///
///     byte   0    1                 17
///            ┌────┬─────────────────┐
///            │ e  │ qs              │
///            └────┴─────────────────┘
///     e      biased exponent of the scale (E8M0)
///     qs[i]  low 4 bits: element i; high 4 bits: element i + 16; each sign 1 | exponent 2 | fraction 1 (E2M1)
///
///     x[i] = 2^(e − 128) · doubled[q[i]]
///
/// The code with only the sign bit set means 0.
///
/// Source: the ggml block layouts, as gguf-py documents them in `gguf.quants`.
public struct BlockMXFP4: Block {
    /// The tensor type.
    public static var type: GGMLType { .MXFP4 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 32 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 17 }

    /// Offset of the biased exponent.
    @inlinable public static var e: Int { 0 }
    /// Offset of the 16 bytes of codes.
    @inlinable public static var qs: Int { 1 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// Twice the value of each E2M1 code: doubled they are integers, and the scale is halved instead.
    public static let doubled: [Int8] = [0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12]

    /// Twice the value of element `index` before scaling, −12 … 12.
    public func quant(at index: Int) -> Int { Int(Self.doubled[bytes.nibble(Self.qs, index)]) }

    /// Half the scale, 2^(e − 128): subnormal for the two smallest exponents.
    public var halvedScale: Float {
        let exponent = UInt32(bytes.byte(Self.e))
        return exponent < 2 ? Float(bitPattern: 0x20_0000 << exponent) : Float(bitPattern: (exponent - 1) << 23)
    }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { halvedScale * Float(quant(at: index)) }
}
