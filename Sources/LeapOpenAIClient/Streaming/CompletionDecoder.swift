import Foundation
import LeapJSON
import OrderedCollections

/// Decodes the chunks of an answer to events: the objects `chat.completion.chunk` of OpenAI's API and the variants of
/// other servers.
struct CompletionDecoder {
    private let failures: ServerFailures
    private var assembler = ToolCallAssembler()
    private var end = ChatCompletionEvent.Done(usage: nil)
    /// Whether the answer is a single document, which contains no pieces of calls but whole ones.
    private var isWhole = false

    init(_ failures: ServerFailures) {
        self.failures = failures
    }

    /// The text that ends a stream in place of JSON.
    private static let endMark = "[DONE]"

    /// Decodes an event of the stream; ``ChatCompletionEvent/done(_:)`` is the last one.
    mutating func decode(_ event: ServerSentEvent) throws(OpenAiError) -> [ChatCompletionEvent] {
        if isEndMark(event) { return [finished] }
        if isSignOfLife(event) { return [] }
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: event.data) } catch {
            if event.type == "error" { throw reported(OpenAiServerMessage(text: failures.quote(event.data))) }
            throw failures.malformed(error.description, in: event.data)
        }
        return try decodeChunk(json, event).map { [.delta($0)] } ?? []
    }

    /// Ends the stream without an end mark. The answer may be complete anyway, if there was a finish reason.
    ///
    /// - Parameter rest: An event that the end of the stream cut off.
    mutating func endOfStream(_ rest: ServerSentEvent?) throws(OpenAiError) -> [ChatCompletionEvent] {
        if let rest, !isEndMark(rest) {
            // Even the beginning of an error says more than that it is cut off.
            if rest.type == "error" { _ = try decode(rest) }
            throw .cutOff(url: failures.url, "the connection was closed within the event \(failures.quote(rest.data))")
        }
        if rest == nil, end.finishReason == nil {
            throw .cutOff(url: failures.url, "the connection was closed before a finish reason or [DONE]")
        }
        return [finished]
    }

    /// Decodes an answer that a server which does not stream sent as a single document.
    mutating func decode(whole body: Data) throws(OpenAiError) -> [ChatCompletionEvent] {
        let json: JSONValue
        do throws(JSONError) { json = try JSONValue(parsing: body) } catch {
            throw failures.malformed(error.description, in: failures.excerpt(body))
        }
        let event = ServerSentEvent(data: failures.excerpt(body))
        isWhole = true
        guard let delta = try decodeChunk(json, event) else {
            throw failures.malformed("it has no choices", in: event.data)
        }
        return [.delta(delta), finished]
    }

    private func isEndMark(_ event: ServerSentEvent) -> Bool {
        event.data.trimmingCharacters(in: .whitespaces) == Self.endMark
    }

    /// Whether an event only shows that the server is alive: an empty one, or one of another type, such as `ping`,
    /// without an object.
    private func isSignOfLife(_ event: ServerSentEvent) -> Bool {
        let first = event.data.first { !$0.isWhitespace }
        return switch event.type {
        case "error": false
        case "message": first == nil
        default: first != "{"
        }
    }

    private var finished: ChatCompletionEvent {
        var done = end
        done.toolCalls = assembler.calls
        return .done(done)
    }

    private func reported(_ message: OpenAiServerMessage) -> OpenAiError {
        .reported(url: failures.url, message)
    }
}

// MARK: - Chunks

extension CompletionDecoder {
    /// Processes the metadata of a chunk, and returns its piece of the answer, if any.
    private mutating func decodeChunk(
        _ json: JSONValue, _ event: ServerSentEvent
    ) throws(OpenAiError) -> ChatCompletionEvent.Delta? {
        guard json.object != nil else { throw failures.malformed("it is not an object", in: event.data) }
        if let message = failures.message(in: json) { throw reported(message) }
        if event.type == "error" { throw reported(OpenAiServerMessage(text: failures.quote(event.data))) }
        end.usage = Usage(json: json["usage"]) ?? end.usage
        end.model = json["model"]?.string ?? end.model
        end.id = json["id"]?.string ?? end.id
        switch json["choices"] {
        case .array(let choices):
            // Several choices come only where a request asks for them, which ours cannot.
            guard let choice = choices.first(where: { $0["index"]?.count ?? 0 == 0 }) else { return nil }
            return try decodeChoice(choice, event)
        case nil, .null: return nil
        default: throw failures.malformed("'choices' is not an array", in: event.data)
        }
    }

    private mutating func decodeChoice(
        _ choice: JSONValue, _ event: ServerSentEvent
    ) throws(OpenAiError) -> ChatCompletionEvent.Delta? {
        if let message = failures.message(inErrorOf: choice, isAnswer: true) { throw reported(message) }
        end.finishReason = choice["finish_reason"]?.string ?? end.finishReason
        if choice["finish_reason"]?.string == "error" {
            throw reported(OpenAiServerMessage(text: "the model failed"))
        }
        // A whole message may have `"delta": null` beside it.
        let candidates = [choice["delta"], choice["message"]].compactMap(\.self)
        guard let delta = candidates.first(where: { $0.object != nil }), delta.object?.isEmpty == false else {
            return nil
        }
        let reasoning = [delta["reasoning_content"], delta["reasoning"]].compactMap(Self.text)
        return ChatCompletionEvent.Delta(
            content: Self.text(delta["content"]) ?? "",
            reasoning: reasoning.first { !$0.isEmpty } ?? reasoning.first,
            refusal: delta["refusal"]?.string, toolCalls: try decodeCalls(delta["tool_calls"], event))
    }

    private mutating func decodeCalls(
        _ json: JSONValue?, _ event: ServerSentEvent
    ) throws(OpenAiError) -> [ChatCompletionToolCallFragment] {
        var fragments: [ChatCompletionToolCallFragment] = []
        for piece in json?.array ?? [] {
            guard piece.object != nil else { throw failures.malformed("a tool call is not an object", in: event.data) }
            guard let fragment = assembler.append(piece, isWhole: isWhole) else {
                let limits = ToolCallAssembler.limits
                throw .tooLarge(
                    url: failures.url,
                    "more than \(limits.calls) tool calls, or more than \(limits.bytes) bytes of them")
            }
            fragments.append(fragment)
        }
        return fragments
    }

    /// Returns a string, or the concatenated texts in an array of parts; `nil` if there are none.
    private static func text(_ json: JSONValue?) -> String? {
        switch json {
        case .string(let text): text
        case .array(let parts): parts.compactMap { $0["text"]?.string }.joined()
        default: nil
        }
    }
}
