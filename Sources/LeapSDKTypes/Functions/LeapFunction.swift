import LeapJSON

/// A function that a model may ask to call; see ``Conversation/registerFunction(_:)``.
public struct LeapFunction: Sendable {
    /// The name: letters, digits and underscores, not beginning with a digit; dots and hyphens may join several.
    public var name: String
    /// What it does, for the model to read.
    public var functionDescription: String
    /// What it takes. Setting it drops whatever a schema said beyond it; see ``init(json:)``.
    public var parameters: [LeapFunctionParameter] {
        didSet { schema = nil }
    }
    /// A JSON Schema of the arguments in the place of ``parameters``; see ``init(json:)``.
    var schema: JSONValue?

    /// Describes a function.
    public init(name: String, description: String, parameters: [LeapFunctionParameter]) {
        self.name = name
        functionDescription = description
        self.parameters = parameters
    }

    /// Describes a function.
    public init(name: String, functionDescription: String, parameters: [LeapFunctionParameter]) {
        self.init(name: name, description: functionDescription, parameters: parameters)
    }

    /// Same as ``functionDescription``.
    public var description: String {
        get { functionDescription }
        set { functionDescription = newValue }
    }
}

extension LeapFunction: Hashable {
    /// Whether two functions say the same. The order of parameters does not matter: coders do not keep it.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.functionDescription == right.functionDescription
            && left.parametersSchema.unordered == right.parametersSchema.unordered
    }

    /// Hashes what is equal in equal functions, without their parameters.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(functionDescription)
    }
}

/// What a function takes.
public struct LeapFunctionParameter: Sendable, Hashable {
    /// The name.
    public var name: String
    /// What values it takes. The type's own description is not used; this one is.
    public var type: LeapFunctionParameterType
    /// What it means, for the model to read.
    public var parameterDescription: String
    /// Whether it may be left out.
    public var optional: Bool

    /// Describes a parameter.
    public init(name: String, type: LeapFunctionParameterType, description: String, optional: Bool = false) {
        self.name = name
        self.type = type
        parameterDescription = description
        self.optional = optional
    }

    /// Describes a parameter.
    public init(name: String, type: LeapFunctionParameterType, parameterDescription: String, optional: Bool = false) {
        self.init(name: name, type: type, description: parameterDescription, optional: optional)
    }

    /// Same as ``parameterDescription``.
    public var description: String {
        get { parameterDescription }
        set { parameterDescription = newValue }
    }
}
