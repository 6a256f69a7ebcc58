/// `F32`: IEEE 754 single precision, little endian, as a block of one element.
public struct BlockF32: Block {
    /// The tensor type.
    public static var type: GGMLType { .F32 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 1 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 4 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
    }
}

/// `F16`: IEEE 754 half precision, little endian, as a block of one element.
///
///     sign 1 | exponent 5, bias 15 | fraction 10
public struct BlockF16: Block {
    /// The tensor type.
    public static var type: GGMLType { .F16 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 1 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 2 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The value of element `index`.
    public func value(at index: Int) -> Float { bytes.half(0) }
}

/// `BF16`: the upper half of a single-precision number, little endian, as a block of one element.
///
///     sign 1 | exponent 8, bias 127 | fraction 7
public struct BlockBF16: Block {
    /// The tensor type.
    public static var type: GGMLType { .BF16 }
    /// Elements in a block.
    @inlinable public static var elementCount: Int { 1 }
    /// Bytes in a block.
    @inlinable public static var byteCount: Int { 2 }

    let bytes: UnsafeRawPointer

    /// Views the block that starts at `bytes`; no alignment is assumed.
    public init(_ bytes: UnsafeRawPointer) { self.bytes = bytes }

    /// The value of element `index`.
    public func value(at index: Int) -> Float {
        Float(brainFloatBits: UInt16(littleEndian: bytes.loadUnaligned(as: UInt16.self)))
    }
}

// MARK: - Conversions

extension Float {
    /// The value of an IEEE 754 half-precision bit pattern, exactly.
    @inlinable @inline(__always)
    public init(halfBits bits: UInt16) {
        let sign = UInt32(bits & 0x8000) << 16
        let exponent = UInt32(bits >> 10 & 31)
        let fraction = UInt32(bits & 0x3FF)
        switch exponent {
        case 0: self = Float(fraction) * 0x1p-24 * (sign == 0 ? 1 : -1)
        case 31: self = Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
        default: self = Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
        }
    }

    /// The half-precision bit pattern nearest to the value, ties to even; beyond ±65,504 infinity, NaN quiet.
    @inlinable @inline(__always)
    public var halfBits: UInt16 {
        let sign = UInt16(truncatingIfNeeded: bitPattern >> 16) & 0x8000
        let magnitude = bitPattern & 0x7FFF_FFFF
        if magnitude > 0x7F80_0000 { return sign | 0x7E00 }
        // 65,520 is halfway between the largest half-precision number and the next power of two.
        if magnitude >= Float(65_520).bitPattern { return sign | 0x7C00 }
        if magnitude < Float(0x1p-14).bitPattern {
            // In 0.5 + x the last bit is worth 2⁻²⁴, a subnormal's unit, so that the addition rounds.
            let rounded = (Float(bitPattern: magnitude) + 0.5).bitPattern - Float(0.5).bitPattern
            return sign | UInt16(truncatingIfNeeded: rounded)
        }
        let odd = magnitude >> 13 & 1
        return sign | UInt16(truncatingIfNeeded: (magnitude - 112 << 23 + 0xFFF + odd) >> 13)
    }

    /// The value of a bfloat16 bit pattern, exactly.
    public init(brainFloatBits bits: UInt16) { self.init(bitPattern: UInt32(bits) << 16) }

    /// The bfloat16 bit pattern nearest to the value, ties to even; NaN stays NaN, quiet.
    public var brainFloatBits: UInt16 {
        if isNaN { return UInt16(truncatingIfNeeded: bitPattern >> 16) | 0x40 }
        let odd = bitPattern >> 16 & 1
        return UInt16(truncatingIfNeeded: (bitPattern &+ 0x7FFF &+ odd) >> 16)
    }
}
