import LeapJSON

/// A function that a model can call; see ``Conversation/registerFunction(_:)``.
public struct LeapFunction: Sendable {
    /// The name: letters, digits and underscores, not starting with a digit. Several such names may be joined by dots
    /// and hyphens.
    public var name: String
    /// What the function does, as shown to the model.
    public var functionDescription: String
    /// The parameters. Setting them discards a schema that was read by ``init(json:)``.
    public var parameters: [LeapFunctionParameter] {
        didSet { schema = nil }
    }
    /// A JSON Schema of the arguments that replaces ``parameters``; see ``init(json:)``.
    var schema: JSONValue?

    /// Creates a function definition.
    public init(name: String, description: String, parameters: [LeapFunctionParameter]) {
        self.name = name
        functionDescription = description
        self.parameters = parameters
    }

    /// Creates a function definition.
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
    /// Whether two definitions are equal, regardless of the order of parameters, which coders do not preserve.
    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.functionDescription == right.functionDescription
            && left.parametersSchema.unordered == right.parametersSchema.unordered
    }

    /// Hashes the name and the description. Parameters are left out, as their order does not matter.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(functionDescription)
    }
}

/// A parameter of a function.
public struct LeapFunctionParameter: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The type of its values. The description inside the type is ignored; ``parameterDescription`` is used.
    public var type: LeapFunctionParameterType
    /// What the parameter means, as shown to the model.
    public var parameterDescription: String
    /// Whether the argument may be omitted.
    public var optional: Bool

    /// Creates a parameter.
    public init(name: String, type: LeapFunctionParameterType, description: String, optional: Bool = false) {
        self.name = name
        self.type = type
        parameterDescription = description
        self.optional = optional
    }

    /// Creates a parameter.
    public init(name: String, type: LeapFunctionParameterType, parameterDescription: String, optional: Bool = false) {
        self.init(name: name, type: type, description: parameterDescription, optional: optional)
    }

    /// Same as ``parameterDescription``.
    public var description: String {
        get { parameterDescription }
        set { parameterDescription = newValue }
    }
}
