import LeapBlocks

/// Builds the bytes of a header.
struct GGUFEncoder {
    private var bytes: [UInt8] = []

    /// The bytes that a closure appends.
    static func encoded(_ append: (inout GGUFEncoder) -> Void) -> [UInt8] {
        var encoder = GGUFEncoder()
        append(&encoder)
        return encoder.bytes
    }

    mutating func append(bytes more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func append(_ scalar: some GGUFScalar) { scalar.appendGGUFBytes(to: &bytes) }

    mutating func append(string: some Collection<UInt8>) {
        append(UInt64(string.count))
        append(bytes: string)
    }

    mutating func appendArrayHeader(_ elementType: GGUFValueType, count: Int) {
        append(GGUFValueType.array.rawValue)
        append(elementType.rawValue)
        append(UInt64(count))
    }

    /// The value's type number and the value.
    mutating func append(typed value: GGUFValue) {
        if case .array(let array) = value {
            appendArrayHeader(array.elementType, count: array.count)
            append(bytes: array.bytes)
            return
        }
        append(value.type.rawValue)
        append(value)
    }

    /// A value without its type; nothing for an array.
    mutating func append(_ value: GGUFValue) {
        switch value {
        case .uint8(let value): append(value)
        case .int8(let value): append(value)
        case .uint16(let value): append(value)
        case .int16(let value): append(value)
        case .uint32(let value): append(value)
        case .int32(let value): append(value)
        case .float32(let value): append(value)
        case .bool(let value): append(value)
        case .string(let value): append(string: value.utf8)
        case .uint64(let value): append(value)
        case .int64(let value): append(value)
        case .float64(let value): append(value)
        case .array: break
        }
    }

    mutating func append(_ tensor: PlannedTensor, offset: Int) {
        append(string: tensor.name.utf8)
        append(UInt32(tensor.dimensions.count))
        for dimension in tensor.dimensions { append(UInt64(dimension)) }
        append(tensor.type.rawValue)
        append(UInt64(offset))
    }
}
