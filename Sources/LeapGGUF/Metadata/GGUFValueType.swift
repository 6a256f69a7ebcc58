/// The type of a metadata value. Raw values are those of the file format.
///
/// Source: the GGUF specification, heading "File Structure", `enum gguf_metadata_value_type`.
public enum GGUFValueType: UInt32, Sendable, Hashable, CaseIterable {
    /// An unsigned byte.
    case uint8 = 0
    /// A signed byte.
    case int8 = 1
    /// An unsigned 16-bit integer.
    case uint16 = 2
    /// A signed 16-bit integer.
    case int16 = 3
    /// An unsigned 32-bit integer.
    case uint32 = 4
    /// A signed 32-bit integer.
    case int32 = 5
    /// An IEEE 754 single.
    case float32 = 6
    /// One byte, 0 or 1.
    case bool = 7
    /// A 64-bit length and that many bytes of UTF-8.
    case string = 8
    /// An element type, a 64-bit count and that many elements.
    case array = 9
    /// An unsigned 64-bit integer.
    case uint64 = 10
    /// A signed 64-bit integer.
    case int64 = 11
    /// An IEEE 754 double.
    case float64 = 12

    /// The Swift type of the values, or `nil` for strings and arrays, whose values differ in size.
    var scalar: (any GGUFScalar.Type)? {
        switch self {
        case .uint8: UInt8.self
        case .int8: Int8.self
        case .uint16: UInt16.self
        case .int16: Int16.self
        case .uint32: UInt32.self
        case .int32: Int32.self
        case .float32: Float.self
        case .bool: Bool.self
        case .uint64: UInt64.self
        case .int64: Int64.self
        case .float64: Double.self
        case .string, .array: nil
        }
    }

    /// The fewest bytes that a value of the type takes: an empty string is its length, an empty array its header.
    var smallestSize: Int { scalar?.ggufSize ?? (self == .string ? 8 : 12) }
}

extension GGUFScalar {
    /// Bytes of one value in a file.
    static var ggufSize: Int { MemoryLayout<Self>.size }
}

extension GGUFValueType: CustomStringConvertible {
    /// The type's name, such as `uint32`.
    public var description: String {
        switch self {
        case .uint8: "uint8"
        case .int8: "int8"
        case .uint16: "uint16"
        case .int16: "int16"
        case .uint32: "uint32"
        case .int32: "int32"
        case .float32: "float32"
        case .bool: "bool"
        case .string: "string"
        case .array: "array"
        case .uint64: "uint64"
        case .int64: "int64"
        case .float64: "float64"
        }
    }
}
