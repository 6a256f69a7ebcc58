/// A Swift type that is the element of a metadata array or a metadata value of a fixed size.
///
/// The standard library's fixed-width integers, `Float`, `Double` and `Bool` conform.
public protocol GGUFScalar: Sendable, BitwiseCopyable {
    /// The type that a file gives the value.
    static var ggufType: GGUFValueType { get }

    /// The value as metadata.
    var ggufValue: GGUFValue { get }

    /// The value whose little-endian bytes start at `offset`; the caller has checked that they are there.
    init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int)

    /// Appends the value's little-endian bytes.
    func appendGGUFBytes(to bytes: inout [UInt8])
}

extension GGUFScalar where Self: FixedWidthInteger {
    /// Reads an integer at any offset.
    public init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Self.self))
    }

    /// Appends the integer, least significant byte first.
    public func appendGGUFBytes(to bytes: inout [UInt8]) {
        withUnsafeBytes(of: littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension UInt8: GGUFScalar {
    /// `uint8`.
    public static var ggufType: GGUFValueType { .uint8 }
    /// `.uint8`.
    public var ggufValue: GGUFValue { .uint8(self) }
}

extension Int8: GGUFScalar {
    /// `int8`.
    public static var ggufType: GGUFValueType { .int8 }
    /// `.int8`.
    public var ggufValue: GGUFValue { .int8(self) }
}

extension UInt16: GGUFScalar {
    /// `uint16`.
    public static var ggufType: GGUFValueType { .uint16 }
    /// `.uint16`.
    public var ggufValue: GGUFValue { .uint16(self) }
}

extension Int16: GGUFScalar {
    /// `int16`.
    public static var ggufType: GGUFValueType { .int16 }
    /// `.int16`.
    public var ggufValue: GGUFValue { .int16(self) }
}

extension UInt32: GGUFScalar {
    /// `uint32`.
    public static var ggufType: GGUFValueType { .uint32 }
    /// `.uint32`.
    public var ggufValue: GGUFValue { .uint32(self) }
}

extension Int32: GGUFScalar {
    /// `int32`.
    public static var ggufType: GGUFValueType { .int32 }
    /// `.int32`.
    public var ggufValue: GGUFValue { .int32(self) }
}

extension UInt64: GGUFScalar {
    /// `uint64`.
    public static var ggufType: GGUFValueType { .uint64 }
    /// `.uint64`.
    public var ggufValue: GGUFValue { .uint64(self) }
}

extension Int64: GGUFScalar {
    /// `int64`.
    public static var ggufType: GGUFValueType { .int64 }
    /// `.int64`.
    public var ggufValue: GGUFValue { .int64(self) }
}

extension Float: GGUFScalar {
    /// `float32`.
    public static var ggufType: GGUFValueType { .float32 }
    /// `.float32`.
    public var ggufValue: GGUFValue { .float32(self) }

    /// Reads the bit pattern at any offset.
    public init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(bitPattern: UInt32(ggufBytes: bytes, at: offset))
    }

    /// Appends the bit pattern, least significant byte first.
    public func appendGGUFBytes(to bytes: inout [UInt8]) { bitPattern.appendGGUFBytes(to: &bytes) }
}

extension Double: GGUFScalar {
    /// `float64`.
    public static var ggufType: GGUFValueType { .float64 }
    /// `.float64`.
    public var ggufValue: GGUFValue { .float64(self) }

    /// Reads the bit pattern at any offset.
    public init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int) {
        self.init(bitPattern: UInt64(ggufBytes: bytes, at: offset))
    }

    /// Appends the bit pattern, least significant byte first.
    public func appendGGUFBytes(to bytes: inout [UInt8]) { bitPattern.appendGGUFBytes(to: &bytes) }
}

extension Bool: GGUFScalar {
    /// `bool`.
    public static var ggufType: GGUFValueType { .bool }
    /// `.bool`.
    public var ggufValue: GGUFValue { .bool(self) }

    /// Reads one byte, of which opening the file has seen that it is 0 or 1.
    public init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int) { self = bytes[offset] != 0 }

    /// Appends 0 or 1.
    public func appendGGUFBytes(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}
