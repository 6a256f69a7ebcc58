import LeapEngine
import LeapJSON
import OrderedCollections

/// Streams a response: items one after another, each added, continued and done, with numbered events.
struct ResponsesStream: AnswerWriter {
    private let style: ResponsesStyle
    private let makeID: @Sendable (ResponseItem.Kind) -> String?
    /// The number of the next event.
    private var number = 0
    /// The open item.
    private var item: ResponseItem?
    /// The completed items.
    private var done: [JSONValue] = []
    /// Probabilities of tokens whose text is still withheld.
    private var tokens: [JSONValue] = []

    /// - Parameter makeID: Creates the IDs of items; `nil` results are replaced by new IDs.
    init(_ style: ResponsesStyle, makeID: @escaping @Sendable (ResponseItem.Kind) -> String? = { _ in nil }) {
        self.style = style
        self.makeID = makeID
    }

    mutating func begin() -> [UInt8] {
        let response = style.document("in_progress", output: [])
        return event("response.created", ["response": response])
            + event("response.in_progress", ["response": response])
    }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .promptRead, .sound: return []
        case .ping: return ServerSentEvents.ping
        case .token(let token):
            if style.showsTokens { tokens.append(token.openAIJSON) }
            return []
        case .reasoning(let text): return think(text)
        case .text(let text): return appendText(text)
        case .callBegins(_, let call): return open(style.kind(of: call))
        case .callArguments(_, let text): return argue(text)
        case .finished(let answer): return finish(answer)
        case .failed(let error):
            return event("response.failed", ["response": style.document("failed", output: done, error: error)])
        }
    }

    /// The error event that ends the stream of another server's response.
    static func error(_ error: APIError, number: Int) -> [UInt8] {
        let document: JSONValue = [
            "type": "error", "sequence_number": .integer(number), "code": .string(error.code ?? error.openAIType),
            "message": .string(error.message), "param": error.param.map { .string($0) } ?? .null,
        ]
        return ServerSentEvents.event(document, name: "error")
    }

    /// The last event has been written, and there is no other mark.
    func end() -> [UInt8] { [] }

    private mutating func finish(_ answer: FinishedAnswer) -> [UInt8] {
        let status = answer.end.responseStatus
        return close(status)
            + event("response.\(status)", ["response": style.document(status, output: done, answer: answer)])
    }

    private mutating func event(_ type: String, _ members: JSONValue) -> [UInt8] {
        var document = members.object ?? [:]
        document.updateValue(.string(type), forKey: "type", insertingAt: 0)
        document.updateValue(.integer(number), forKey: "sequence_number", insertingAt: 1)
        number += 1
        return ServerSentEvents.event(.object(document), name: type)
    }
}

// MARK: - Items

extension ResponsesStream {
    private mutating func think(_ text: String) -> [UInt8] {
        tokens = []
        let opening = open(.thought)
        item?.text += text
        return opening + part("response.reasoning_text.delta", ["delta": .string(text)])
    }

    private mutating func appendText(_ text: String) -> [UInt8] {
        let opening = open(.message)
        item?.text += text
        item?.logprobs += tokens
        defer { tokens = [] }
        return opening
            + part("response.output_text.delta", ["delta": .string(text), "logprobs": .array(tokens)])
    }

    private mutating func argue(_ text: String) -> [UInt8] {
        tokens = []
        item?.text += text
        // The input of a custom tool is known once its JSON is complete.
        guard case .call = item?.kind else { return [] }
        return place("response.function_call_arguments.delta", ["delta": .string(text)])
    }

    /// Continues an item, or ends the previous one and begins it.
    private mutating func open(_ kind: ResponseItem.Kind) -> [UInt8] {
        guard item?.kind != kind else { return [] }
        let end = close("completed")
        let next = ResponseItem(kind, id: makeID(kind))
        item = next
        let added = event(
            "response.output_item.added", ["output_index": .integer(done.count), "item": next.json("in_progress")])
        guard kind == .message else { return end + added }
        return end + added + part("response.content_part.added", ["part": next.part])
    }

    private mutating func close(_ status: String) -> [UInt8] {
        guard let item else { return [] }
        var bytes = closeContent(of: item)
        let json = item.json(item.call.map { $0.isWhole ? "completed" : "incomplete" } ?? status)
        bytes += event("response.output_item.done", ["output_index": .integer(done.count), "item": json])
        done.append(json)
        self.item = nil
        return bytes
    }

    private mutating func closeContent(of item: ResponseItem) -> [UInt8] {
        switch item.kind {
        case .thought: part("response.reasoning_text.done", ["text": .string(item.text)])
        case .message:
            part("response.output_text.done", ["text": .string(item.text), "logprobs": .array(item.logprobs)])
                + part("response.content_part.done", ["part": item.part])
        case .call(let call):
            place(
                "response.function_call_arguments.done",
                ["name": .string(call.name), "arguments": .string(item.text)])
        case .freeCall:
            place("response.custom_tool_call_input.delta", ["delta": .string(item.freeInput)])
                + place("response.custom_tool_call_input.done", ["input": .string(item.freeInput)])
        }
    }

    /// An event of the only part of the item.
    private mutating func part(_ type: String, _ members: JSONValue) -> [UInt8] {
        place(type, members.with("content_index", 0))
    }

    /// An event of the item.
    private mutating func place(_ type: String, _ members: JSONValue) -> [UInt8] {
        event(
            type,
            members.with("item_id", .string(item?.id ?? "")).with("output_index", .integer(done.count)))
    }
}
