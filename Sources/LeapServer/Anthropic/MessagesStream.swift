import LeapJSON
import OrderedCollections

/// Streams a message of Anthropic's API: blocks one after another, each opened, continued and closed.
struct MessagesStream: AnswerWriter {
    private enum Block: Equatable {
        case thought, text
        case call(Int)
    }

    private let style: MessagesStyle
    private let promptTokens: Int
    private let requestID: String
    /// The open block.
    private var block: Block?
    /// The number of closed blocks.
    private var closed = 0
    private var isWhole = false

    /// - Parameters:
    ///   - promptTokens: Tokens of the prompt.
    ///   - requestID: The request's ID, for errors.
    init(_ style: MessagesStyle, promptTokens: Int, requestID: String) {
        self.style = style
        self.promptTokens = promptTokens
        self.requestID = requestID
    }

    func begin() -> [UInt8] {
        event("message_start", ["message": style.beginning(promptTokens: promptTokens)])
    }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .promptRead, .token, .sound: return []
        case .ping: return event("ping", [:])
        case .reasoning(let text):
            let opening = open(.thought, ["type": "thinking", "thinking": "", "signature": ""])
            return opening + (style.hidesThoughts ? [] : delta("thinking_delta", "thinking", text))
        case .text(let text):
            return open(.text, ["type": "text", "text": ""]) + delta("text_delta", "text", text)
        case .callBegins(let index, let call): return open(.call(index), call.anthropicBlock(input: [:]))
        case .callArguments(_, let text): return delta("input_json_delta", "partial_json", text)
        case .finished(let answer): return finish(answer)
        case .failed(let error):
            return ServerSentEvents.event(error.anthropicDocument(id: requestID), name: "error")
        }
    }

    func end() -> [UInt8] { isWhole ? event("message_stop", [:]) : [] }

    private mutating func finish(_ answer: FinishedAnswer) -> [UInt8] {
        isWhole = true
        return close()
            + event(
                "message_delta",
                [
                    "delta": [
                        "stop_reason": .string(answer.end.anthropicReason), "stop_sequence": answer.end.stopText,
                    ],
                    "usage": answer.cost.anthropicUsage,
                ])
    }

    /// Continues a block, or closes the previous one and opens it.
    private mutating func open(_ next: Block, _ content: JSONValue) -> [UInt8] {
        guard block != next else { return [] }
        let end = close()
        block = next
        return end + event("content_block_start", ["index": .integer(closed), "content_block": content])
    }

    private mutating func close() -> [UInt8] {
        guard let block else { return [] }
        let signature = block == .thought ? delta("signature_delta", "signature", MessagesStyle.signature) : []
        let end = event("content_block_stop", ["index": .integer(closed)])
        self.block = nil
        closed += 1
        return signature + end
    }

    private func delta(_ type: String, _ key: String, _ text: String) -> [UInt8] {
        event(
            "content_block_delta",
            ["index": .integer(closed), "delta": .object(["type": .string(type), key: .string(text)])])
    }

    private func event(_ type: String, _ members: JSONValue) -> [UInt8] {
        var document = members.object ?? [:]
        document.updateValue(.string(type), forKey: "type", insertingAt: 0)
        return ServerSentEvents.event(.object(document), name: type)
    }
}
