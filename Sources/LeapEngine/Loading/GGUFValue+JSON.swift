public import LeapGGUF
public import LeapJSON

extension GGUFValue {
    /// The value of a model file's metadata as JSON; `nil` for a list, which may be a vocabulary.
    public var scalarJSON: JSONValue? {
        switch self {
        case .uint8(let value): .integer(Int(value))
        case .int8(let value): .integer(Int(value))
        case .uint16(let value): .integer(Int(value))
        case .int16(let value): .integer(Int(value))
        case .uint32(let value): .integer(Int(value))
        case .int32(let value): .integer(Int(value))
        case .uint64(let value): Int(exactly: value).map { .integer($0) } ?? .largeInteger("\(value)")
        case .int64(let value): .integer(Int(value))
        // The shortest digits that give the number again, not those of its exact double.
        case .float32(let value): .number(Double(value.description) ?? Double(value))
        case .float64(let value): .number(value)
        case .bool(let value): .bool(value)
        case .string(let value): .string(value)
        case .array: nil
        }
    }
}
