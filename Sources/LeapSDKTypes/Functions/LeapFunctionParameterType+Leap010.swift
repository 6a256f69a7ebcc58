public import Foundation

/// The spelling of versions 0.10, in which types were classes: `LeapFunctionParameterType.LeapStr(enumValues: nil,
/// description: nil)`. Here they make the enum's cases.
extension LeapFunctionParameterType {
    /// Text; see ``StringType``.
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

    /// A whole number; see ``IntegerType``.
    public static func LeapInt(enumValues: [Int]? = nil, description: String? = nil) -> Self {
        .integer(IntegerType(description: description, enumValues: enumValues))
    }

    /// A whole number; see ``IntegerType``.
    @_disfavoredOverload
    public static func LeapInt(enumValues: [KotlinInt]?, description: String? = nil) -> Self {
        LeapInt(enumValues: enumValues?.map { Int($0) }, description: description)
    }

    /// True or false; see ``BooleanType``.
    public static func LeapBool(description: String? = nil) -> Self {
        .boolean(BooleanType(description: description))
    }

    /// A list; see ``ArrayType``.
    public static func LeapArr(itemType: LeapFunctionParameterType, description: String? = nil) -> Self {
        .array(ArrayType(description: description, itemType: itemType))
    }

    /// Values by name; see ``ObjectType``.
    public static func LeapObj(
        properties: [String: LeapFunctionParameterType], required: [String] = [], description: String? = nil
    ) -> Self {
        .object(ObjectType(description: description, properties: properties, required: required))
    }

    /// Nothing; see ``NullType``.
    public static func LeapNull() -> Self {
        .null(NullType())
    }
}

/// What values a parameter takes, with the cases' names of versions 0.10; see ``onEnum(of:)-(LeapFunctionParameterType)``.
public enum LeapFunctionParameterTypePayload: Sendable, Hashable {
    /// Text.
    case leapStr(StringType)
    /// A number.
    case leapNum(NumberType)
    /// A whole number.
    case leapInt(IntegerType)
    /// True or false.
    case leapBool(BooleanType)
    /// A list.
    case leapArr(ArrayType)
    /// Values by name.
    case leapObj(ObjectType)
    /// Nothing.
    case leapNull(NullType)
}

/// The type as an enum, as versions 0.10 described it.
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
