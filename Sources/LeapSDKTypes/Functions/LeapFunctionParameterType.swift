/// What values a parameter takes.
public indirect enum LeapFunctionParameterType: Sendable, Hashable {
    /// Text.
    case string(StringType)
    /// A number.
    case number(NumberType)
    /// A whole number.
    case integer(IntegerType)
    /// True or false.
    case boolean(BooleanType)
    /// A list.
    case array(ArrayType)
    /// Values by name.
    case object(ObjectType)
    /// Nothing.
    case null(NullType)
}

/// Text.
public struct StringType: Sendable, Hashable {
    /// What it means; used inside lists and objects only.
    public var description: String?
    /// The only values allowed, where given.
    public var enumValues: [String]?

    /// Describes a type.
    public init(description: String? = nil, enumValues: [String]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }
}

/// A number.
public struct NumberType: Sendable, Hashable {
    /// What it means; used inside lists and objects only.
    public var description: String?
    /// The only values allowed, where given.
    public var enumValues: [Double]?

    /// Describes a type.
    public init(description: String? = nil, enumValues: [Double]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }
}

/// A whole number.
public struct IntegerType: Sendable, Hashable {
    /// What it means; used inside lists and objects only.
    public var description: String?
    /// The only values allowed, where given.
    public var enumValues: [Int]?

    /// Describes a type.
    public init(description: String? = nil, enumValues: [Int]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }
}

/// True or false.
public struct BooleanType: Sendable, Hashable {
    /// What it means; used inside lists and objects only.
    public var description: String?

    /// Describes a type.
    public init(description: String? = nil) {
        self.description = description
    }
}

/// A list.
public struct ArrayType: Sendable, Hashable {
    /// What it means; used inside lists and objects only.
    public var description: String?
    /// What its elements are.
    public var itemType: LeapFunctionParameterType

    /// Describes a type.
    public init(description: String? = nil, itemType: LeapFunctionParameterType) {
        self.description = description
        self.itemType = itemType
    }
}

/// Values by name.
public struct ObjectType: Sendable, Hashable {
    /// What it means; used inside lists and objects only.
    public var description: String?
    /// What the values are.
    public var properties: [String: LeapFunctionParameterType]
    /// The names that must be there.
    public var required: [String]

    /// Describes a type.
    public init(
        description: String? = nil, properties: [String: LeapFunctionParameterType], required: [String] = []
    ) {
        self.description = description
        self.properties = properties
        self.required = required
    }
}

/// Nothing.
public struct NullType: Sendable, Hashable {
    /// Describes a type.
    public init() {}
}
