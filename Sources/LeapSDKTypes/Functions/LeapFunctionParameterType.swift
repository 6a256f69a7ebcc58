/// The type of a parameter's values.
public indirect enum LeapFunctionParameterType: Sendable, Hashable {
    /// A string.
    case string(StringType)
    /// A number.
    case number(NumberType)
    /// An integer.
    case integer(IntegerType)
    /// A Boolean.
    case boolean(BooleanType)
    /// An array.
    case array(ArrayType)
    /// An object.
    case object(ObjectType)
    /// `null`.
    case null(NullType)
}

/// A string.
public struct StringType: Sendable, Hashable {
    /// What the value means, as shown to the model. Used only inside arrays and objects.
    public var description: String?
    /// The allowed values; `nil` allows all.
    public var enumValues: [String]?

    /// Creates a type.
    public init(description: String? = nil, enumValues: [String]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }
}

/// A number.
public struct NumberType: Sendable, Hashable {
    /// What the value means, as shown to the model. Used only inside arrays and objects.
    public var description: String?
    /// The allowed values; `nil` allows all.
    public var enumValues: [Double]?

    /// Creates a type.
    public init(description: String? = nil, enumValues: [Double]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }
}

/// An integer.
public struct IntegerType: Sendable, Hashable {
    /// What the value means, as shown to the model. Used only inside arrays and objects.
    public var description: String?
    /// The allowed values; `nil` allows all.
    public var enumValues: [Int]?

    /// Creates a type.
    public init(description: String? = nil, enumValues: [Int]? = nil) {
        self.description = description
        self.enumValues = enumValues
    }
}

/// A Boolean.
public struct BooleanType: Sendable, Hashable {
    /// What the value means, as shown to the model. Used only inside arrays and objects.
    public var description: String?

    /// Creates a type.
    public init(description: String? = nil) {
        self.description = description
    }
}

/// An array.
public struct ArrayType: Sendable, Hashable {
    /// What the value means, as shown to the model. Used only inside arrays and objects.
    public var description: String?
    /// The type of the elements.
    public var itemType: LeapFunctionParameterType

    /// Creates a type.
    public init(description: String? = nil, itemType: LeapFunctionParameterType) {
        self.description = description
        self.itemType = itemType
    }
}

/// An object.
public struct ObjectType: Sendable, Hashable {
    /// What the value means, as shown to the model. Used only inside arrays and objects.
    public var description: String?
    /// The types of the properties, by name.
    public var properties: [String: LeapFunctionParameterType]
    /// The names of the required properties.
    public var required: [String]

    /// Creates a type.
    public init(
        description: String? = nil, properties: [String: LeapFunctionParameterType], required: [String] = []
    ) {
        self.description = description
        self.properties = properties
        self.required = required
    }
}

/// `null`.
public struct NullType: Sendable, Hashable {
    /// Creates a type.
    public init() {}
}
