@_exported public import enum LeapChat.ToolCallProblem

/// What is wrong with a call that a model asks for. The call was delivered all the same: what to do is the app's choice.
public typealias LeapFunctionCallProblem = ToolCallProblem

extension LeapFunction {
    /// What is wrong with the arguments of a call of this function; empty if nothing is.
    public func problems(in call: LeapFunctionCall) -> [LeapFunctionCallProblem] {
        ToolCallProblem.problems(in: call.argumentsJSON, parametersSchema)
    }
}

extension Conversation {
    /// What is wrong with a call, measured by the functions registered here; empty if nothing is.
    public func problems(in call: LeapFunctionCall) -> [LeapFunctionCallProblem] {
        guard let function = functions.first(where: { $0.name == call.name }) else {
            return [.unknownFunction(name: call.name, known: functions.map(\.name))]
        }
        return function.problems(in: call)
    }
}
