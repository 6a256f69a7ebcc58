public import Foundation

/// The spelling of versions 0.10, in which types were classes:
/// `LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil)`. Here they create the enum's cases.
extension LeapFunctionParameterType {
    /// A string; see ``StringType``.
    public static func LeapStr(enumValues: [String]? = nil, description: String? = nil) -> Self {
        .string(StringType(description: description, enumValues: enumValues))
    }

    /// A number; see ``NumberType``.
    public static func LeapNum(enumValues: [Double]? = nil, description: String? = nil) -> Self {
        .number(NumberType(description: description, enumValues: enumValues))
    }

    /// A number; see ``NumberType``.
    @_disfavoredOverload
    public static func LeapNum(enumValues: [NSNumber]?, description: String? = nil) -> Self {
        LeapNum(enumValues: enumValues?.map(\.doubleValue), description: description)
    }

    /// An integer; see ``IntegerType``.
    public static func LeapInt(enumValues: [Int]? = nil, description: String? = nil) -> Self {
        .integer(IntegerType(description: description, enumValues: enumValues))
    }

    /// An integer; see ``IntegerType``.
    @_disfavoredOverload
    public static func LeapInt(enumValues: [KotlinInt]?, description: String? = nil) -> Self {
        LeapInt(enumValues: enumValues?.map { Int($0) }, description: description)
    }

    /// A Boolean; see ``BooleanType``.
    public static func LeapBool(description: String? = nil) -> Self {
        .boolean(BooleanType(description: description))
    }

    /// An array; see ``ArrayType``.
    public static func LeapArr(itemType: LeapFunctionParameterType, description: String? = nil) -> Self {
        .array(ArrayType(description: description, itemType: itemType))
    }

    /// An object; see ``ObjectType``.
    public static func LeapObj(
        properties: [String: LeapFunctionParameterType], required: [String] = [], description: String? = nil
    ) -> Self {
        .object(ObjectType(description: description, properties: properties, required: required))
    }

    /// `null`; see ``NullType``.
    public static func LeapNull() -> Self {
        .null(NullType())
    }
}

/// The type of a parameter's values, with the case names of versions 0.10; see
/// ``onEnum(of:)-(LeapFunctionParameterType)``.
public enum LeapFunctionParameterTypePayload: Sendable, Hashable {
    /// A string.
    case leapStr(StringType)
    /// A number.
    case leapNum(NumberType)
    /// An integer.
    case leapInt(IntegerType)
    /// A Boolean.
    case leapBool(BooleanType)
    /// An array.
    case leapArr(ArrayType)
    /// An object.
    case leapObj(ObjectType)
    /// `null`.
    case leapNull(NullType)
}

/// Returns the type as the enum of versions 0.10.
public func onEnum(of type: LeapFunctionParameterType) -> LeapFunctionParameterTypePayload {
    switch type {
    case .string(let type): .leapStr(type)
    case .number(let type): .leapNum(type)
    case .integer(let type): .leapInt(type)
    case .boolean(let type): .leapBool(type)
    case .array(let type): .leapArr(type)
    case .object(let type): .leapObj(type)
    case .null(let type): .leapNull(type)
    }
}
