#if Server
import Foundation
import LeapJSON
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapGeneration
@testable import LeapServer

/// Slow readers take up no memory without limit, and do not delay other clients.
@Suite("Back pressure")
struct BackPressureTests {
    @Test("a full feed pauses its answers until it is read, and is counted as held")
    func holding() async {
        let held = HeldAnswers()
        let feed = AnswerFeed(AnswerFeed.Limits(pieces: 3, bytes: 100), counting: held)
        feed.put(.text("a"))
        feed.put(.text("b"))
        #expect(!feed.pause.isSet)
        feed.put(.text("c"))
        #expect(feed.pause.isSet && held.count == 1)
        let released = Mutex(0)
        feed.pause.whenReleased { released.withLock { $0 += 1 } }
        #expect(await feed.next()?.count == 1)
        #expect(!feed.pause.isSet && held.count == 0 && released.withLock(\.self) == 1)
        feed.put(.text(String(repeating: "x", count: 100)))
        #expect(feed.pause.isSet)
    }

    @Test("a full feed that is released is no longer counted")
    func lettingGo() {
        let held = HeldAnswers()
        var feed: AnswerFeed? = AnswerFeed(AnswerFeed.Limits(pieces: 1), counting: held)
        feed?.put(.text("a"))
        #expect(held.count == 1)
        feed = nil
        #expect(held.count == 0)
    }

    @Test("pieces of one kind are merged, but not across answers, kinds or tool calls")
    func joining() async {
        let feed = AnswerFeed()
        for piece in [AnswerPiece.reasoning("a"), .reasoning("b"), .text("c"), .text("d")] { feed.put(piece) }
        feed.put(.text("other"), choice: 1)
        for piece in [AnswerPiece.text("e"), .callArguments(index: 0, "1"), .callArguments(index: 0, "2")] {
            feed.put(piece)
        }
        feed.put(.callArguments(index: 1, "3"))
        feed.put(.ping)
        let texts = await feed.next()?.map { item in
            switch item.piece {
            case .text(let text): "\(item.choice) text \(text)"
            case .reasoning(let text): "\(item.choice) thought \(text)"
            case .callArguments(let index, let text): "\(item.choice) call \(index) \(text)"
            default: "?"
            }
        }
        #expect(texts == ["0 thought ab", "0 text cde", "1 text other", "0 call 0 12", "0 call 1 3"])
    }

    /// The text and log probabilities of a streamed answer, and whether the stream is complete.
    private static func answer(_ stream: String) throws -> (text: String, tokens: [JSONValue], isWhole: Bool) {
        var (text, tokens) = ("", [JSONValue]())
        // Transfer chunks end with CRLF, which is a single Character in Swift.
        for line in stream.split(whereSeparator: \.isNewline) where line.hasPrefix("data: {") {
            let choice = try JSONValue(parsing: String(line.dropFirst(6)))["choices"]?.array?.first
            text += choice?["delta"]?["content"]?.string ?? ""
            tokens += choice?["logprobs"]?["content"]?.array ?? []
        }
        return (text, tokens, stream.contains("data: [DONE]"))
    }

    @Test("an answer pauses while its client does not read, others continue, and a late reader gets all of it")
    func slowReader() async throws {
        let model = try EndlessModel()
        // Some eight megabytes: Linux grows the server's send buffer to four, and what fits into buffers needs no pause.
        let question = EndlessModel.question(
            tokens: 6_000, streams: true, more: "\"seed\":5,\"logprobs\":true,\"top_logprobs\":20,")
        try await TestServer.run([model.path]) { server in
            let heldAnswers = server.server.core.metrics.heldAnswers
            let slow = try RawClient(port: server.port, receiveBuffer: 1 << 14)
            try slow.send(TestServer.request("POST", "/v1/chat/completions", question, headers: ["Connection: close"]))
            // Until the buffers between both ends are full, the answer resumes again and again.
            try await eventually(holdingFor: .seconds(1)) { heldAnswers.count == 1 }
            let quick = try await server.ask(
                "POST", "/v1/chat/completions", EndlessModel.question(tokens: 20, streams: false))
            #expect(quick.status == 200)
            try await eventually { heldAnswers.count == 1 }
            #expect(server.server.answersInFlight == 1)
            let late = try Self.answer(try await slow.read(seconds: 120))
            let prompt = try Self.answer(
                try await server.ask("POST", "/v1/chat/completions", question).text)
            #expect(late.isWhole && prompt.isWhole)
            #expect(late.text == prompt.text && !late.text.isEmpty)
            #expect(late.tokens == prompt.tokens && late.tokens.count == 6_000)
            try await eventually { heldAnswers.count == 0 }
        }
    }

    @Test("a client that disconnects while its answer is paused frees its slot", arguments: [true, false])
    func leaving(resets: Bool) async throws {
        let model = try EndlessModel()
        let question = EndlessModel.question(streams: true, more: "\"logprobs\":true,\"top_logprobs\":20,")
        try await TestServer.run([model.path]) { server in
            let heldAnswers = server.server.core.metrics.heldAnswers
            var client: RawClient? = try RawClient(port: server.port, receiveBuffer: 1 << 14)
            try client?.send(TestServer.request("POST", "/v1/chat/completions", question))
            try await eventually { heldAnswers.count == 1 }
            if resets { client?.reset() }
            client = nil
            // The feed is released after its answer has ended.
            try await eventually { server.server.answersInFlight == 0 && heldAnswers.count == 0 }
        }
    }
}
#endif
