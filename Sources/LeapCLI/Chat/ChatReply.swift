import LeapChat
import LeapGeneration
import LeapJSON

/// What a prompt led to.
struct ChatReply {
    /// The last answer.
    let result: GenerationResult
    /// All calls on the way there.
    let calls: [AnsweredCall]
}

/// A call of the model and what became of it.
struct AnsweredCall {
    let call: ToolCall
    /// What is wrong with it.
    let problems: [ToolCallProblem]
    /// The result that the model was given; nil if there was none.
    var result: String?
}

/// Where results of calls come from.
enum ResultSource {
    /// From an object of results by the functions' names.
    case table([String: JSONValue])
    /// From a person.
    case person((ToolCall) -> String?)

    /// The result of a call; nil if there is none. A call with problems gets these as its result, so that the model can
    /// mend it.
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
