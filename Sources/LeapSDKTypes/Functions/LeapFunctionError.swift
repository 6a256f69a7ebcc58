public import Foundation
import LeapChat

/// The reason why a function cannot be offered to a model: the cause of the ``LeapError/generationFailure(_:_:)`` with
/// which the next generation fails.
public enum LeapFunctionError: Error, Sendable, Hashable {
    /// The name is not one that models can call.
    case illegalName(String)
    /// Two different functions have the same name.
    case duplicateFunction(String)
    /// A parameter has no name.
    case emptyParameterName(function: String)
    /// Two parameters have the same name.
    case duplicateParameter(function: String, parameter: String)
    /// An object type requires a property that it does not declare.
    case requiredPropertyMissing(function: String, property: String)
}

extension LeapFunctionError: CustomStringConvertible, LocalizedError {
    /// Says what is wrong and what to do about it.
    public var description: String {
        switch self {
        case .illegalName(let name):
            "a function cannot be named '\(name)': use letters, digits and underscores, not starting with a digit"
        case .duplicateFunction(let name): "two functions are named '\(name)': rename one of them"
        case .emptyParameterName(let function): "a parameter of function '\(function)' has no name: give it one"
        case .duplicateParameter(let function, let parameter):
            "two parameters of function '\(function)' are named '\(parameter)': rename one of them"
        case .requiredPropertyMissing(let function, let property):
            "function '\(function)' requires '\(property)', which is not a property of its object: describe the property"
        }
    }

    /// Same as ``description``.
    public var errorDescription: String? { description }
}

extension LeapFunction {
    /// Checks that the function can be described to a model.
    ///
    /// - Throws: ``LeapFunctionError`` if it cannot.
    public func validate() throws(LeapFunctionError) {
        guard ToolCall.canBeNamed(name), name.utf8.count <= 256 else { throw .illegalName(name) }
        var names: Set<String> = []
        for parameter in parameters {
            guard !parameter.name.isEmpty else { throw .emptyParameterName(function: name) }
            guard names.insert(parameter.name).inserted else {
                throw .duplicateParameter(function: name, parameter: parameter.name)
            }
            if let missing = parameter.type.missingProperty {
                throw .requiredPropertyMissing(function: name, property: missing)
            }
        }
    }
}

extension LeapFunctionParameterType {
    /// The first required property that is not declared.
    fileprivate var missingProperty: String? {
        switch self {
        case .array(let type): type.itemType.missingProperty
        case .object(let type):
            type.required.first { type.properties[$0] == nil }
                ?? type.properties.values.lazy.compactMap(\.missingProperty).first
        case .string, .number, .integer, .boolean, .null: nil
        }
    }
}
