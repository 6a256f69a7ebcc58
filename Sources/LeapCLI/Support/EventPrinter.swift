import LeapChat
import LeapJSON
import LeapToolSupport

/// Prints the events of an answer as JSON lines, joining adjacent texts of the same kind.
struct EventPrinter {
    private var open: (type: String, text: String)?

    mutating func take(_ event: AnswerReader.Event) {
        switch event {
        case .text(let text): append(text, "text")
        case .reasoning(let text): append(text, "reasoning")
        case .reasoningBegins, .reasoningEnds: finish()
        // A call is printed once it is complete.
        case .callBegins, .callArguments: break
        case .calls(let calls):
            finish()
            print(["type": "function_calls", "calls": .array(calls.map(\.json))])
        case .unreadable(let error):
            finish()
            fail(error)
        }
    }

    mutating func finish() {
        guard let (type, text) = open else { return }
        print(["type": .string(type), "text": .string(text)])
        open = nil
    }

    private mutating func append(_ text: String, _ type: String) {
        if open?.type != type { finish() }
        open = (type, (open?.text ?? "") + text)
    }

    private func fail(_ error: ToolCallError) {
        print([
            "type": "error", "message": .string(error.reason), "line": .integer(error.line),
            "column": .integer(error.column), "text": .string(error.text),
        ])
    }

    private func print(_ event: JSONValue) {
        Console.line(event.text(.python))
    }
}
