/// A Swift type for metadata values of a fixed size, and for the elements of metadata arrays.
///
/// The standard library's fixed-width integers, `Float`, `Double` and `Bool` conform.
public protocol GGUFScalar: Sendable, BitwiseCopyable {
    /// The type of the value in a file.
    static var ggufType: GGUFValueType { get }

    /// The value as metadata.
    var ggufValue: GGUFValue { get }

    /// Reads the value whose little-endian bytes start at `offset`. The caller must have checked the bounds.
    init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int)

    /// Appends the value's little-endian bytes.
    func appendGGUFBytes(to bytes: inout [UInt8])
}

extension GGUFScalar where Self: FixedWidthInteger {
    /// Reads an integer at any offset, aligned or not.
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

    /// Reads the bit pattern at any offset, aligned or not.
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

    /// Reads the bit pattern at any offset, aligned or not.
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

    /// Reads one byte, which was found to be 0 or 1 when the file was opened.
    public init(ggufBytes bytes: UnsafeRawBufferPointer, at offset: Int) { self = bytes[offset] != 0 }

    /// Appends 0 or 1.
    public func appendGGUFBytes(to bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}
