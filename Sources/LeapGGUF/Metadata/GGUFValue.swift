/// A metadata value.
public enum GGUFValue: Sendable, Equatable {
    /// An unsigned byte.
    case uint8(UInt8)
    /// A signed byte.
    case int8(Int8)
    /// An unsigned 16-bit integer.
    case uint16(UInt16)
    /// A signed 16-bit integer.
    case int16(Int16)
    /// An unsigned 32-bit integer.
    case uint32(UInt32)
    /// A signed 32-bit integer.
    case int32(Int32)
    /// A single-precision number.
    case float32(Float)
    /// A Boolean.
    case bool(Bool)
    /// A string, in which bytes that are not UTF-8 were replaced by U+FFFD.
    case string(String)
    /// An array of values of one type.
    case array(GGUFArray)
    /// An unsigned 64-bit integer.
    case uint64(UInt64)
    /// A signed 64-bit integer.
    case int64(Int64)
    /// A double-precision number.
    case float64(Double)

    /// The value's type.
    public var type: GGUFValueType {
        switch self {
        case .uint8: .uint8
        case .int8: .int8
        case .uint16: .uint16
        case .int16: .int16
        case .uint32: .uint32
        case .int32: .int32
        case .float32: .float32
        case .bool: .bool
        case .string: .string
        case .array: .array
        case .uint64: .uint64
        case .int64: .int64
        case .float64: .float64
        }
    }

    /// A description of the type for errors: `uint32`, `array of string`.
    public var typeDescription: String {
        if case .array(let array) = self { array.typeDescription } else { type.description }
    }
}

extension GGUFValue {
    /// The value if it is of any integer type, or `nil`.
    public var anyInteger: (any FixedWidthInteger)? {
        switch self {
        case .uint8(let value): value
        case .int8(let value): value
        case .uint16(let value): value
        case .int16(let value): value
        case .uint32(let value): value
        case .int32(let value): value
        case .uint64(let value): value
        case .int64(let value): value
        default: nil
        }
    }

    /// The value if it is of either floating-point type, or `nil`.
    public var anyFloat: Double? {
        switch self {
        case .float32(let value): Double(value)
        case .float64(let value): value
        default: nil
        }
    }
}
