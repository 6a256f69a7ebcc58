// Typed getters. Each comes in two forms: one that throws if the file has no such key, and one that returns `nil`.
// Both throw if the value has another type, because an unusable key means that the file is damaged.

// MARK: - Single values

extension GGUFMetadata {
    /// Returns the string value of a key. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing or its value is not a string.
    public func string(_ key: String) throws(GGUFError) -> String {
        try required(key, "string", stringIfPresent(key))
    }

    /// Returns the string value of a key, or `nil` if the key is missing. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not a string.
    public func stringIfPresent(_ key: String) throws(GGUFError) -> String? {
        guard let value = value(key) else { return nil }
        guard case .string(let text) = value else { throw wrongType(key, expected: "string", value) }
        return text
    }

    /// Returns the value of a key of any integer type.
    ///
    /// - Parameters:
    ///   - key: The full name of the key.
    ///   - range: The valid range.
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing, is not an integer, or is out of range.
    public func integer(_ key: String, in range: ClosedRange<Int> = 0...Int.max) throws(GGUFError) -> Int {
        try required(key, "integer", integerIfPresent(key, in: range))
    }

    /// Returns the value of a key of any integer type, or `nil` if the key is missing.
    ///
    /// - Parameters:
    ///   - key: The full name of the key.
    ///   - range: The valid range.
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not an integer, or is out of range.
    public func integerIfPresent(
        _ key: String, in range: ClosedRange<Int> = 0...Int.max
    ) throws(GGUFError) -> Int? {
        guard let value = value(key) else { return nil }
        guard let found = value.anyInteger else { throw wrongType(key, expected: "integer", value) }
        guard let integer = Int(exactly: found), range.contains(integer) else {
            throw outOfRange(key, found: "\(found)", range)
        }
        return integer
    }

    /// Returns the value of a key of either floating-point type.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing, is not a floating-point number, or is not
    ///   finite as a single.
    public func float(_ key: String) throws(GGUFError) -> Float {
        try required(key, "float32", floatIfPresent(key))
    }

    /// Returns the value of a key of either floating-point type, or `nil` if the key is missing.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not a floating-point number, or is not finite as a
    ///   single.
    public func floatIfPresent(_ key: String) throws(GGUFError) -> Float? {
        guard let value = value(key) else { return nil }
        guard let number = value.anyFloat else { throw wrongType(key, expected: "float32", value) }
        return try finite(key, number)
    }

    /// Returns the Boolean value of a key.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing or its value is not a Boolean.
    public func bool(_ key: String) throws(GGUFError) -> Bool {
        try required(key, "bool", boolIfPresent(key))
    }

    /// Returns the Boolean value of a key, or `nil` if the key is missing.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not a Boolean.
    public func boolIfPresent(_ key: String) throws(GGUFError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard case .bool(let flag) = value else { throw wrongType(key, expected: "bool", value) }
        return flag
    }
}

// MARK: - Arrays

extension GGUFMetadata {
    /// Returns a key's array of strings, which are decoded on access.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing or is not an array of strings.
    public func strings(_ key: String) throws(GGUFError) -> GGUFStrings {
        try required(key, "array of string", stringsIfPresent(key))
    }

    /// Returns a key's array of strings, which are decoded on access, or `nil` if the key is missing.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not an array of strings.
    public func stringsIfPresent(_ key: String) throws(GGUFError) -> GGUFStrings? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value, let strings = array.strings else {
            throw wrongType(key, expected: "array of string", value)
        }
        return strings
    }

    /// Returns a key's array of any integer type; Booleans count as 0 and 1.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing, is not an array of integers, or has an
    ///   element above `Int.max`.
    public func integers(_ key: String) throws(GGUFError) -> [Int] {
        try required(key, "array of integer", integersIfPresent(key))
    }

    /// Returns a key's array of any integer type, or `nil` if the key is missing; Booleans count as 0 and 1.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not an array of integers, or has an element above
    ///   `Int.max`.
    public func integersIfPresent(_ key: String) throws(GGUFError) -> [Int]? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value else { throw wrongType(key, expected: "array of integer", value) }
        return switch array.elementType {
        case .uint8: array.scalars(UInt8.self).map(Int.init)
        case .int8: array.scalars(Int8.self).map(Int.init)
        case .uint16: array.scalars(UInt16.self).map(Int.init)
        case .int16: array.scalars(Int16.self).map(Int.init)
        case .uint32: try integers(key, array.scalars(UInt32.self))
        case .int32: array.scalars(Int32.self).map(Int.init)
        case .uint64: try integers(key, array.scalars(UInt64.self))
        case .int64: try integers(key, array.scalars(Int64.self))
        case .bool: array.scalars(Bool.self).map { $0 ? 1 : 0 }
        case .float32, .float64, .string, .array: throw wrongType(key, expected: "array of integer", value)
        }
    }

    /// Returns a key's array of either floating-point type. Elements may be infinite or NaN.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the key is missing or is not an array of such numbers.
    public func floats(_ key: String) throws(GGUFError) -> [Float] {
        try required(key, "array of float32", floatsIfPresent(key))
    }

    /// Returns a key's array of either floating-point type, or `nil` if the key is missing. Elements may be infinite or
    /// NaN.
    ///
    /// - Throws: ``GGUFError/metadata(file:key:_:)`` if the value is not an array of such numbers.
    public func floatsIfPresent(_ key: String) throws(GGUFError) -> [Float]? {
        guard let value = value(key) else { return nil }
        guard case .array(let array) = value else { throw wrongType(key, expected: "array of float32", value) }
        return switch array.elementType {
        case .float32: array.scalars(Float.self)
        case .float64: array.scalars(Double.self).map(Float.init)
        default: throw wrongType(key, expected: "array of float32", value)
        }
    }
}

// MARK: - Errors

extension GGUFMetadata {
    private func required<Value>(_ key: String, _ expected: String, _ value: Value?) throws(GGUFError) -> Value {
        guard let value else { throw .metadata(file: fileName, key: key, .missing(expected: expected)) }
        return value
    }

    private func wrongType(_ key: String, expected: String, _ found: GGUFValue) -> GGUFError {
        .metadata(file: fileName, key: key, .wrongType(expected: expected, found: found.typeDescription))
    }

    private func outOfRange(_ key: String, found: String, _ range: ClosedRange<Int>) -> GGUFError {
        let problem = GGUFError.MetadataProblem.outOfRange(
            found: found, lowest: range.lowerBound, highest: range.upperBound)
        return .metadata(file: fileName, key: key, problem)
    }

    private func integers(_ key: String, _ values: [some FixedWidthInteger]) throws(GGUFError) -> [Int] {
        var integers: [Int] = []
        integers.reserveCapacity(values.count)
        for value in values {
            guard let integer = Int(exactly: value) else {
                throw outOfRange(key, found: "\(value)", Int.min...Int.max)
            }
            integers.append(integer)
        }
        return integers
    }

    private func finite(_ key: String, _ number: Double) throws(GGUFError) -> Float {
        let float = Float(number)
        guard float.isFinite else { throw .metadata(file: fileName, key: key, .notFinite(found: "\(number)")) }
        return float
    }
}
