import LeapChat
import LeapJSON
import OrderedCollections

/// An answer as one object: its content, its reasoning and its calls, including a call that is still incomplete.
struct ParsedAnswer {
    private var content = ""
    private var reasoning = ""
    private var calls: [Call] = []
    private var wholeCalls = 0

    private struct Call {
        var id: String?
        var name: String
        /// The JSON of the arguments so far.
        var text = ""
        /// The arguments, once they are complete.
        var arguments: JSONValue?

        var json: JSONValue {
            var members: OrderedDictionary<String, JSONValue> = [:]
            if let id { members["id"] = .string(id) }
            members["name"] = .string(name)
            members["arguments"] = arguments ?? .string(text)
            return .object(members)
        }
    }

    /// - Parameter isPartial: Whether the answer is not complete yet, so that an incomplete call is included.
    init(_ events: [AnswerReader.Event], isPartial: Bool) {
        for event in events {
            switch event {
            case .text(let text): content += text
            case .reasoning(let text): reasoning += text
            case .reasoningBegins, .reasoningEnds, .unreadable: break
            case .callBegins(_, let id, let name): calls.append(Call(id: id, name: name))
            case .callArguments(let index, let text): calls[index].text += text
            case .calls(let whole): take(whole)
            }
        }
        if !isPartial { calls.removeAll { $0.arguments == nil } }
        // A complete call in an incomplete block.
        for index in calls.indices where calls[index].arguments == nil {
            guard let object = try? JSONValue(parsing: calls[index].text), object.object != nil else { continue }
            calls[index].arguments = object
        }
    }

    private mutating func take(_ whole: [ToolCall]) {
        for call in whole {
            while wholeCalls < calls.count, calls[wholeCalls].name != call.name { wholeCalls += 1 }
            guard wholeCalls < calls.count else { return }
            calls[wholeCalls].arguments = .object(call.arguments)
            calls[wholeCalls].id = call.id
            wholeCalls += 1
        }
    }

    var json: JSONValue {
        ["content": .string(content), "reasoning": .string(reasoning), "calls": .array(calls.map(\.json))]
    }
}
