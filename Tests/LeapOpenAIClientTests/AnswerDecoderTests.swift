import Foundation
import LeapHTTP
import Testing

@testable import LeapOpenAIClient

/// The body of a response and the events that it gives.
struct AnswerCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let contentType: String?
    let body: [UInt8]
    let events: [ChatCompletionEvent]

    /// - Parameter end: Bytes after the text.
    init(
        _ name: String, type: String? = "text/event-stream", _ body: String, end: [UInt8] = [],
        _ events: [ChatCompletionEvent]
    ) {
        testDescription = name
        contentType = type
        self.body = Array(body.utf8) + end
        self.events = events
    }
}

let url = "http://server/v1/chat/completions"

/// A chunk of an answer, as an event of the stream.
func chunk(_ delta: String, finish: String = "null") -> String {
    #"data: {"id":"c1","model":"m1","choices":[{"index":0,"delta":\#(delta),"finish_reason":\#(finish)}]}"# + "\n\n"
}

func text(_ content: String) -> ChatCompletionEvent { .delta(.init(content: content)) }

/// The end of an answer made of ``chunk(_:finish:)``.
func done(
    _ reason: String? = "stop", usage: Usage? = nil, calls: [ChatCompletionToolCall] = []
) -> ChatCompletionEvent {
    .done(.init(usage: usage, finishReason: reason, toolCalls: calls, model: "m1", id: "c1"))
}

func failed(_ error: OpenAiError) -> ChatCompletionEvent { .error(.init(error)) }

@Suite("Answers")
struct AnswerDecoderTests {
    static let whole: [AnswerCase] = [
        AnswerCase(
            "OpenAI's stream, with usage at the end",
            chunk(#"{"role":"assistant","content":""}"#) + chunk(#"{"content":"Hel"}"#) + chunk(#"{"content":"lo 🌍"}"#)
                + chunk("{}", finish: #""stop""#)
                + #"data: {"id":"c1","choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2,"total_tokens":7}}"#
                + "\n\ndata: [DONE]\n\n",
            [
                text(""), text("Hel"), text("lo 🌍"),
                done(usage: Usage(promptTokens: 5, completionTokens: 2, totalTokens: 7)),
            ]),
        AnswerCase(
            "comments, CRLF and a byte order mark, as proxies add them",
            "\u{FEFF}: OPENROUTER PROCESSING\r\n\r\n"
                + (chunk(#"{"content":"a"}"#) + ": ping\n\n" + chunk(#"{"content":"b"}"#, finish: #""stop""#)
                + "data: [DONE]\n\n").replacing("\n", with: "\r\n"),
            [text("a"), text("b"), done()]),
        AnswerCase(
            "a chunk in several lines of data",
            "event: message\ndata: {\"choices\": [\ndata: {\"delta\": {\"content\": \"a\"}}\ndata: ]}\n\ndata:[DONE]\n\n",
            [text("a"), .done(.init(usage: nil))]),
        AnswerCase(
            "no [DONE], but a finish reason", chunk(#"{"content":"a"}"#, finish: #""length""#),
            [text("a"), done("length")]),
        AnswerCase(
            "[DONE] without its empty line", chunk(#"{"content":"a"}"#) + "data: [DONE]",
            [text("a"), done(nil)]),
        AnswerCase(
            "data after [DONE]", chunk(#"{"content":"a"}"#, finish: #""stop""#) + "data: [DONE]\n\nmore\n\n",
            [text("a"), done()]),
        AnswerCase(
            "reasoning under both names, and a refusal",
            chunk(#"{"reasoning_content":"Hm","content":null}"#) + chunk(#"{"reasoning":" so"}"#)
                + chunk(#"{"reasoning_content":"x","reasoning":"x"}"#) + chunk(#"{"refusal":"No"}"#)
                + "data: [DONE]\n\n",
            [
                .delta(.init(content: "", reasoning: "Hm")), .delta(.init(content: "", reasoning: " so")),
                .delta(.init(content: "", reasoning: "x")), .delta(.init(content: "", refusal: "No")), done(nil),
            ]),
        AnswerCase(
            "content in parts, and additional choices",
            #"data: {"choices":[{"index":1,"delta":{"content":"x"}},{"delta":{"content":[{"type":"text","text":"a"}]}}]}"#
                + "\n\ndata: [DONE]\n\n",
            [text("a"), .done(.init(usage: nil))]),
        AnswerCase(
            "usage in every chunk, without a total and with details",
            #"data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}"# + "\n\n"
                + #"data: {"choices":null,"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":"#
                + #"{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":2}}}"#
                + "\n\ndata: {\"usage\":null}\n\ndata: [DONE]\n\n",
            [
                .done(
                    .init(
                        usage: Usage(
                            promptTokens: 9, completionTokens: 3, totalTokens: 12, cachedPromptTokens: 8,
                            reasoningTokens: 2)))
            ]),
        AnswerCase(
            "invalid usage",
            #"data: {"usage":{"prompt_tokens":-1,"completion_tokens":1e400}}"# + "\n\ndata: [DONE]\n\n",
            [.done(.init(usage: nil))]),
        AnswerCase(
            "a stream with the content type text/plain", type: "text/plain; charset=utf-8",
            chunk(#"{"content":"a"}"#) + "data: [DONE]\n\n",
            [text("a"), done(nil)]),
        AnswerCase(
            "an empty text of reasoning beside another one",
            chunk(#"{"reasoning_content":"","reasoning":"think"}"#) + "data: [DONE]\n\n",
            [.delta(.init(content: "", reasoning: "think")), done(nil)]),
        AnswerCase(
            "a message beside a delta that is null",
            #"data: {"choices":[{"delta":null,"message":{"content":"a"}}]}"# + "\n\ndata: [DONE]\n\n",
            [text("a"), .done(.init(usage: nil))]),
        AnswerCase(
            "a document after white space", type: "application/json",
            "\r\n \t" + #"{"choices":[{"message":{"content":"a"}}]}"#,
            [text("a"), .done(.init(usage: nil))]),
        AnswerCase(
            "a document after white space, as a stream", "\n " + #"{"choices":[{"message":{"content":"a"}}]}"#,
            [text("a"), .done(.init(usage: nil))]),
        AnswerCase(
            "a document with calls without ids", type: "application/json",
            #"{"choices":[{"message":{"tool_calls":[{"function":{"name":"get","arguments":""}},"#
                + #"{"function":{"name":"put","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#,
            [
                .delta(
                    .init(
                        content: "",
                        toolCalls: [.init(index: 0, name: "get"), .init(index: 1, name: "put", arguments: "{}")])),
                .done(
                    .init(
                        usage: nil, finishReason: "tool_calls",
                        toolCalls: [
                            .init(id: "", name: "get", arguments: ""), .init(id: "", name: "put", arguments: "{}"),
                        ])),
            ]),
        AnswerCase(
            "events that only keep the connection open",
            "data:\n\nevent: ping\ndata: ping\n\n" + chunk(#"{"content":"a"}"#)
                + "event: ping\ndata: {\"type\": \"ping\"}\n\ndata: \n\n" + chunk("{}", finish: #""stop""#)
                + "event: ping\ndata: [1]\n\nevent: end\ndata: [DONE]\n\n",
            [text("a"), done()]),
        AnswerCase(
            "empty errors beside an answer",
            #"data: {"error":{},"choices":[{"error":null,"delta":{"content":"a"}}]}"# + "\n\n"
                + #"data: {"error":false,"choices":[{"error":{},"delta":{"content":"b"}}]}"# + "\n\n"
                + #"data: {"error":"","choices":[{"error":"","delta":{"content":"c"}}]}"# + "\n\ndata: [DONE]\n\n",
            [text("a"), text("b"), text("c"), .done(.init(usage: nil))]),
        AnswerCase("a stream without a content type", type: nil, "data: [DONE]\n\n", [.done(.init(usage: nil))]),
        AnswerCase(
            "a JSON document from a server that does not stream", type: "application/json; charset=utf-8",
            #"{"id":"c1","model":"m1","choices":[{"message":{"role":"assistant","content":"a","#
                + #""tool_calls":[{"id":"t","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"#
                + #""usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}"#,
            [
                .delta(.init(content: "a", toolCalls: [.init(index: 0, id: "t", name: "f", arguments: "{}")])),
                done(
                    "tool_calls", usage: Usage(promptTokens: 1, completionTokens: 2, totalTokens: 3),
                    calls: [.init(id: "t", name: "f", arguments: "{}")]),
            ]),
    ]

    static let broken: [AnswerCase] = [
        AnswerCase(
            "neither [DONE] nor a finish reason", chunk(#"{"content":"a"}"#),
            [text("a"), failed(.cutOff(url: url, "the connection was closed before a finish reason or [DONE]"))]),
        AnswerCase(
            "cut within an event", chunk(#"{"content":"a"}"#) + #"data: {"choices":[{"del"#,
            [text("a"), failed(.cutOff(url: url, #"the connection was closed within the event {"choices":[{"del"#))]),
        AnswerCase(
            "cut within a character",
            chunk(#"{"content":"a"}"#) + #"data: {"choices":[{"delta":{"content":""#, end: [0xF0, 0x9F],
            [
                text("a"),
                failed(
                    .cutOff(
                        url: url,
                        "the connection was closed within the event {\"choices\":[{\"delta\":{\"content\":\"\u{FFFD}")),
            ]),
        AnswerCase(
            "cut within an event after the finish reason", chunk("{}", finish: #""stop""#) + #"data: {"usa"#,
            [failed(.cutOff(url: url, #"the connection was closed within the event {"usa"#))]),
        AnswerCase(
            "an error within the stream",
            chunk(#"{"content":"a"}"#) + #"data: {"error":{"message":"Overloaded","type":"server_error","code":503}}"#
                + "\n\ndata: [DONE]\n\n",
            [text("a"), failed(.reported(url: url, .init(text: "Overloaded", type: "server_error", code: "503")))]),
        AnswerCase(
            "an event named error", "event: error\ndata: out of memory\n\n",
            [failed(.reported(url: url, .init(text: "out of memory")))]),
        AnswerCase(
            "an event named error with JSON data", "event: error\ndata: {\"why\": 1}\n\n",
            [failed(.reported(url: url, .init(text: #"{"why": 1}"#)))]),
        AnswerCase(
            "llama.cpp's field for errors",
            #"error: {"code":400,"message":"The prompt is too long","type":"invalid_request_error"}"#
                + "\n\ndata: [DONE]\n\n",
            [
                failed(
                    .reported(
                        url: url, .init(text: "The prompt is too long", type: "invalid_request_error", code: "400")))
            ]),
        AnswerCase(
            "a truncated error", "error: out of mem", [failed(.reported(url: url, .init(text: "out of mem")))]),
        AnswerCase(
            "an error in a choice",
            chunk(#"{"content":"a"}"#)
                + #"data: {"choices":[{"delta":{"content":""},"error":{"code":502,"message":"Overloaded"}}]}"#
                + "\n\ndata: [DONE]\n\n",
            [text("a"), failed(.reported(url: url, .init(text: "Overloaded", code: "502")))]),
        AnswerCase(
            "an error in a choice and as its finish reason",
            #"data: {"choices":[{"delta":{},"finish_reason":"error","error":{"code":502,"message":"Overloaded"}}]}"#
                + "\n\n",
            [failed(.reported(url: url, .init(text: "Overloaded", code: "502")))]),
        AnswerCase(
            "invalid JSON in an event of another type", "event: chunk\ndata: {\"choices\": oops}\n\n",
            [
                failed(
                    .malformed(
                        url: url, reason: "JSON 1:13: expected a value, found 'o'.", excerpt: #"{"choices": oops}"#))
            ]),
        AnswerCase(
            "an error as the finish reason", chunk("{}", finish: #""error""#),
            [failed(.reported(url: url, .init(text: "the model failed")))]),
        AnswerCase(
            "an older vLLM's error",
            #"data: {"object":"error","message":"No","type":"BadRequest","code":400}"# + "\n\n",
            [failed(.reported(url: url, .init(text: "No", type: "BadRequest", code: "400")))]),
        AnswerCase(
            "invalid JSON", chunk(#"{"content":"a"}"#) + "data: {\"choices\": oops}\n\n",
            [
                text("a"),
                failed(
                    .malformed(
                        url: url, reason: "JSON 1:13: expected a value, found 'o'.", excerpt: #"{"choices": oops}"#)),
            ]),
        AnswerCase(
            "JSON that is not a chunk", "data: [1]\n\n",
            [failed(.malformed(url: url, reason: "it is not an object", excerpt: "[1]"))]),
        AnswerCase(
            "choices that are not an array", "data: {\"choices\":7}\n\n",
            [failed(.malformed(url: url, reason: "'choices' is not an array", excerpt: #"{"choices":7}"#))]),
        AnswerCase(
            "a tool call that is not an object", "data: {\"choices\":[{\"delta\":{\"tool_calls\":[1]}}]}\n\n",
            [
                failed(
                    .malformed(
                        url: url, reason: "a tool call is not an object",
                        excerpt: #"{"choices":[{"delta":{"tool_calls":[1]}}]}"#))
            ]),
        AnswerCase(
            "an HTML page", type: "text/html", "<html>\n  <body>Bad gateway</body>\n</html>",
            [
                failed(
                    .unexpectedResponse(
                        url: url, contentType: "text/html", excerpt: "<html> <body>Bad gateway</body> </html>"))
            ]),
        AnswerCase(
            "an HTML page without a content type", type: nil, "<html>\n\n</html>\n",
            [failed(.unexpectedResponse(url: url, contentType: "unknown", excerpt: "<html> </html>"))]),
        AnswerCase(
            "an error with status 200", type: "application/json", #"{"error":{"message":"No such model","code":null}}"#,
            [failed(.reported(url: url, .init(text: "No such model")))]),
        AnswerCase(
            "an error with status 200 and the content type of a stream", #"{"error":"No such model"}"#,
            [failed(.reported(url: url, .init(text: "No such model")))]),
        AnswerCase(
            "a document without choices", type: "application/json", #"{"choices":[]}"#,
            [failed(.malformed(url: url, reason: "it has no choices", excerpt: #"{"choices":[]}"#))]),
        AnswerCase(
            "a truncated document", type: "application/json", #"{"choices":["#,
            [
                failed(
                    .malformed(
                        url: url,
                        reason: "JSON 1:13: expected a value, but the text ends here. Is it complete?",
                        excerpt: #"{"choices":["#))
            ]),
    ]

    private func decoder(_ contentType: String?) -> AnswerDecoder {
        AnswerDecoder(
            contentType: contentType, limits: .init(),
            failures: ServerFailures(url: url, redact: Redactor(OpenAiClientConfig(apiKey: ""))))
    }

    /// The events of a body that arrives in pieces.
    private func decode(_ test: AnswerCase, _ pieces: [ArraySlice<UInt8>]) -> [ChatCompletionEvent] {
        var decoder = decoder(test.contentType)
        var events: [ChatCompletionEvent] = []
        for piece in pieces {
            events += decoder.decode(Data(piece))
            if isEnded(events) { return events }
        }
        return events + decoder.end()
    }

    private func isEnded(_ events: [ChatCompletionEvent]) -> Bool {
        if case .delta? = events.last { false } else { !events.isEmpty }
    }

    @Test(arguments: whole + broken)
    func `A body gives the same events whole, byte by byte and split anywhere`(_ test: AnswerCase) {
        #expect(decode(test, [test.body[...]]) == test.events)
        #expect(decode(test, test.body.indices.map { test.body[$0...$0] }) == test.events)
        for index in test.body.indices {
            #expect(decode(test, [test.body[..<index], test.body[index...]]) == test.events, "split at \(index)")
        }
    }

    @Test(arguments: whole)
    func `A truncated answer is complete only if its finish reason or end marker was received`(
        _ test: AnswerCase
    ) {
        for end in test.body.indices {
            let events = decode(test, [test.body[..<end]])
            let seen = String(decoding: test.body[..<end], as: UTF8.self)
            if case .done = events.last {
                #expect(seen.contains("\"finish_reason\":\"") || seen.contains("[DONE]"), "cut at \(end)")
            } else {
                #expect(isEnded(events), "cut at \(end)")
            }
        }
    }

    /// Bodies that arrive before the connection is lost, and whether their answers are complete.
    static let lost: [(body: String, isComplete: Bool)] = [
        (chunk("{}", finish: #""stop""#), true), (chunk("{}", finish: #""stop""#) + "data: [DONE]", true),
        (chunk("{}", finish: #""stop""#) + "data: {\"usa", false), (chunk("{}"), false), (": ping\n\n", false),
        ("", false),
    ]

    @Test(arguments: lost.indices)
    func `An answer is complete even if the connection is lost after its finish reason`(index: Int) {
        let (body, isComplete) = Self.lost[index]
        var decoder = decoder("text/event-stream")
        #expect(decoder.decode(Data(body.utf8)).isEmpty)
        let error = TransportError.connectionLost(url, "reset")
        let cutOff = failed(.cutOff(url: url, "the connection was lost: reset"))
        #expect(decoder.broken(error) == [isComplete ? done() : cutOff])
    }

    @Test func `An oversized event, line or document is an error`() {
        let huge = Array(repeating: UInt8(ascii: "x"), count: 16 << 20)
        let limit = 8 << 20
        let stream = AnswerCase("", "", [])
        let line = failed(.tooLarge(url: url, "a line of the event stream exceeds the limit of \(limit) bytes"))
        #expect(decode(stream, [Array("data: ".utf8)[...], huge[...]]) == [line])
        #expect(decode(stream, [huge[...]]) == [line])
        let lines = Array(String(repeating: "data: 12345678901234567890\n", count: 500_000).utf8)
        let event = failed(.tooLarge(url: url, "an event of the stream exceeds the limit of \(limit) bytes"))
        #expect(decode(stream, [lines[...]]) == [event])
        let document = failed(.tooLarge(url: url, "the document exceeds the limit of \(limit) bytes"))
        #expect(decode(AnswerCase("", type: "application/json", "", []), [[0x7B], huge[...]]) == [document])
    }
}
