@_exported public import enum LeapChat.ToolCallProblem

/// A problem with a function call of a model. The call is delivered regardless; the app decides what to do.
public typealias LeapFunctionCallProblem = ToolCallProblem

extension LeapFunction {
    /// Checks the arguments of a call against this function's parameters. Returns an empty array if they are valid.
    public func problems(in call: LeapFunctionCall) -> [LeapFunctionCallProblem] {
        ToolCallProblem.problems(in: call.argumentsJSON, parametersSchema)
    }
}

extension Conversation {
    /// Checks a call against the registered functions. Returns an empty array if it is valid.
    public func problems(in call: LeapFunctionCall) -> [LeapFunctionCallProblem] {
        guard let function = functions.first(where: { $0.name == call.name }) else {
            return [.unknownFunction(name: call.name, known: functions.map(\.name))]
        }
        return function.problems(in: call)
    }
}
