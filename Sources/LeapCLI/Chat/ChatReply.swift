import LeapChat
import LeapGeneration
import LeapJSON

/// The outcome of a prompt.
struct ChatReply {
    /// The last answer.
    let result: GenerationResult
    /// All calls that preceded it.
    let calls: [AnsweredCall]
}

/// A call by the model, and its outcome.
struct AnsweredCall {
    let call: ToolCall
    /// The problems of the call.
    let problems: [ToolCallProblem]
    /// The result given to the model; nil if there was none.
    var result: String?
}

/// The source of results of calls.
enum ResultSource {
    /// An object of results, keyed by function name.
    case table([String: JSONValue])
    /// The user, who is asked.
    case person((ToolCall) -> String?)

    /// The result of a call; nil if there is none. A call with problems gets these as its result, so that the model can
    /// correct it.
    func result(of call: ToolCall, _ problems: [ToolCallProblem]) -> String? {
        if !problems.isEmpty { return "Error: " + problems.map(\.description).joined(separator: "; ") }
        switch self {
        case .table(let results):
            guard let result = results[call.name] else { return nil }
            return result.string ?? result.text(.python)
        case .person(let ask): return ask(call)
        }
    }
}
