import Foundation
import LeapHybrid
import LeapJSON
import LeapOpenAIClient
import LeapSDK
import Synchronization
import Testing
import _LeapHTTPTestSupport

@Suite("Fallback", .timeLimit(.minutes(2)))
struct FallbackTests {
    private let question = Message(role: .user, textContent: "Why?")

    /// The error of a conversation; fails if there is none.
    private func error(_ conversation: HybridConversation) async -> HybridError? {
        await #expect(throws: HybridError.self) {
            try await collect(conversation.generateResponse(message: question, generationOptions: greedy))
        }
    }

    @Test func `The local model answers if the server rejects the request`() async throws {
        let local = try await LocalModel()
        let server = try await ScriptedServer.each { try await $0.respond(503, text: "Loading model") }
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .preferring(.remote))
        let responses = try await collect(conversation.generateResponse(message: question, generationOptions: greedy))
        #expect(responses.text == "local answer" && responses.routes.map(\.side) == [.remote, .local])
        let route = try #require(responses.completion?.route)
        #expect(route.reason == "the remote side failed" && route.failure?.contains("Loading model") == true)
        #expect(conversation.history.map(\.text) == ["Why?", "local answer"])
    }

    @Test func `The server answers if the local model is unloaded`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        await local.runner.unload()
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model())
        let responses = try await collect(conversation.generateResponse(message: question))
        #expect(responses.text == "remote answer" && responses.routes.map(\.side) == [.local, .remote])
    }

    @Test func `There is no fallback after the first token`() async throws {
        let local = try await LocalModel()
        let server = try await ScriptedServer.each { connection in
            try await connection.respond(
                headers: ["Content-Type": "text/event-stream"],
                text: "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\ndata: {\"error\":\"out of memory\"}\n\n"
            )
        }
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .preferring(.remote))
        var responses: [HybridResponse] = []
        do {
            for try await response in conversation.generateResponse(message: question) { responses.append(response) }
            Issue.record("no error")
        } catch HybridError.brokenOff(.remote, let cause) {
            #expect("\(cause)".contains("out of memory"))
        }
        #expect(responses.text == "a" && responses.routes.map(\.side) == [.remote])
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
    }

    @Test func `Reasoning counts as the first token`() async throws {
        let local = try await LocalModel()
        let server = try await ScriptedServer.streaming("data: {\"choices\":[{\"delta\":{\"reasoning\":\"Hm\"}}]}\n\n")
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .preferring(.remote))
        guard case .brokenOff(.remote, _)? = await error(conversation) else {
            Issue.record("not broken off")
            return
        }
    }

    @Test func `Without fallback a failure is final`() async throws {
        let local = try await LocalModel()
        let server = try await ScriptedServer.each { try await $0.respond(400, text: "No") }
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .preferring(.remote).withoutFallback())
        guard case .failed(.remote, _)? = await error(conversation) else {
            Issue.record("not failed")
            return
        }
        #expect(conversation.history.isEmpty)
    }

    @Test func `An always policy has no fallback`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        await local.runner.unload()
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .always(.local))
        guard case .failed(.local, _)? = await error(conversation) else {
            Issue.record("not failed")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test func `If both sides fail, the error contains both failures`() async throws {
        let local = try await LocalModel()
        await local.runner.unload()
        let server = try await ScriptedServer.each { try await $0.respond(400, text: "No") }
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model())
        guard case .bothFailed(.local, let first, let second)? = await error(conversation) else {
            Issue.record("not both failed")
            return
        }
        #expect("\(first)".contains("unloaded") && "\(second)".contains("status 400"))
    }

    @Test func `A side that lacks what the request needs is no fallback`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        await local.runner.unload()
        var remote = server.model()
        remote.capabilities = [.tools]
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: remote, policy: .preferring(.local), localCapabilities: [.images])
        let picture = Message(role: .user, content: [.text("What?"), .image(Data([1]))])
        let thrown = await #expect(throws: HybridError.self) {
            try await collect(conversation.generateResponse(message: picture, generationOptions: greedy))
        }
        guard case .bothFailed(.local, let first, HybridError.unsupported(.remote, .images))? = thrown else {
            Issue.record("found \(String(describing: thrown))")
            return
        }
        #expect("\(first)".contains("unloaded") && server.requests.isEmpty && conversation.history.isEmpty)
    }

    @Test func `The local model answers if there is a grammar or the server's call is not valid JSON`() async throws {
        let calls =
            #"data: {"choices":[{"delta":{"tool_calls":[{"id":"x","function":{"name":"f","arguments":"{"}}]},"#
            + #""finish_reason":"tool_calls"}]}"# + "\n\ndata: [DONE]\n\n"
        let (local, server) = (try await LocalModel("abc"), try await ScriptedServer.streaming(calls))
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .preferring(.remote))
        let options = GenerationOptions(temperature: 0)
        options.regexConstraint = "abc"
        let responses = try await collect(conversation.generateResponse(message: question, generationOptions: options))
        #expect(responses.text == "abc" && server.requests.isEmpty)
        #expect(responses.completion?.route.failure == "the remote side cannot handle regular expressions and grammars")

        let next = try await collect(conversation.generateResponse(message: question, generationOptions: greedy))
        #expect(next.completion?.route.failure?.hasPrefix("the call to 'f' cannot be parsed: ") == true)
        #expect(server.requests.count == 1)
    }

    /// A stream in which a server calls a function with the given arguments.
    private static func call(_ arguments: String) -> String {
        let quoted = JSONValue.string(arguments).text()
        return #"data: {"choices":[{"delta":{"tool_calls":[{"id":"x","function":{"name":"f","#
            + #""arguments":\#(quoted)}}]},"finish_reason":"tool_calls"}]}"# + "\n\ndata: [DONE]\n\n"
    }

    @Test(arguments: ["", "null", "{}"])
    func `A remote call without arguments is accepted, and the local model continues`(arguments: String) async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming(Self.call(arguments)))
        let policy = RoutingPolicy { request in
            RoutingDecision(request.messages.last?.role == .tool ? .local : .remote, reason: "by role")
        }
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model(), policy: policy)
        _ = try await collect(conversation.generateResponse(message: question))
        let calls = [LeapFunctionCall(name: "f", argumentsJSON: [:])]
        #expect(conversation.history.last?.functionCalls == calls)
        let result = Message(role: .tool, textContent: "1")
        let responses = try await collect(conversation.generateResponse(message: result, generationOptions: greedy))
        #expect(responses.text == "local answer" && responses.routes.map(\.side) == [.local])
    }

    @Test(arguments: [#""x""#, "3", "[]"])
    func `A remote call whose arguments are not an object is a failure`(arguments: String) async throws {
        let server = try await ScriptedServer.streaming(Self.call(arguments))
        let conversation = HybridConversation(
            modelRunner: SilentRunner(), remote: server.model(), policy: .always(.remote))
        guard case .failed(.remote, HybridError.malformedCall("f", _))? = await error(conversation) else {
            Issue.record("not refused")
            return
        }
        #expect(conversation.history.isEmpty)
    }

    // MARK: Timeouts

    @Test func `A server that is slow to begin is cancelled, and the local model answers`() async throws {
        let wasClosed = Signal()
        let server = try await ScriptedServer.each { connection in
            await connection.waitForClose()
            await wasClosed.set()
        }
        let local = try await LocalModel()
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(),
            policy: .preferring(.remote).firstToken(within: .milliseconds(50)))
        let responses = try await collect(conversation.generateResponse(message: question, generationOptions: greedy))
        #expect(responses.text == "local answer")
        #expect(responses.completion?.route.failure == "the remote side sent no token within 0.05 seconds")
        await wasClosed.wait()
    }

    @Test func `A local model that is slow to begin is stopped, and the server answers`() async throws {
        let (runner, server) = (SilentRunner(), try await ScriptedServer.streaming())
        let conversation = HybridConversation(
            modelRunner: runner, remote: server.model(),
            policy: .preferring(.local).firstToken(within: .milliseconds(50)))
        let responses = try await collect(conversation.generateResponse(message: question))
        #expect(responses.text == "remote answer" && runner.isStopped)
    }

    @Test func `The timeout does not stop a local model that has begun a function call`() async throws {
        let (runner, server) = (CallingRunner(delay: .milliseconds(2500)), try await ScriptedServer.streaming())
        let progress = Mutex<[PromptProgress]>([])
        let conversation = HybridConversation(
            modelRunner: runner, remote: server.model(),
            policy: .preferring(.local).firstToken(within: .seconds(2)))
        let options = GenerationOptions().with(onPromptProgress: { step in progress.withLock { $0.append(step) } })
        let responses = try await collect(conversation.generateResponse(message: question, generationOptions: options))
        #expect(responses.routes.map(\.side) == [.local] && server.requests.isEmpty)
        #expect(responses.completion?.message.functionCalls == [CallingRunner.call])
        #expect(progress.withLock { $0 } == [PromptProgress(tokensRead: 2, promptTokens: 2)])
    }

    @Test func `The timeout stops a local model that has not read the prompt`() async throws {
        let runner = CallingRunner(tokensRead: 1, delay: .seconds(600))
        let server = try await ScriptedServer.streaming()
        let conversation = HybridConversation(
            modelRunner: runner, remote: server.model(),
            policy: .preferring(.local).firstToken(within: .milliseconds(50)))
        let responses = try await collect(conversation.generateResponse(message: question))
        #expect(responses.text == "remote answer")
    }

    // MARK: Texts

    static let texts: [(HybridError, String)] = [
        (.busy, "the conversation is already generating an answer: wait until it is complete, or stop it"),
        (.function(HybridError.busy), "\(HybridError.busy)"),
        (.unsupported(.remote, [.images, .tools]), "the remote side cannot handle images, functions"),
        (.tooSlow(.local, .seconds(2)), "the local side sent no token within 2.0 seconds"),
        (.endless(.local), "the local side stopped before its answer was complete"),
        (
            .malformedCall(name: "f", HybridError.busy),
            "the call to 'f' cannot be parsed: \(HybridError.busy)"
        ),
        (.failed(.local, HybridError.endless(.local)), "the local side failed: \(HybridError.endless(.local))"),
        (
            .bothFailed(first: .remote, HybridError.endless(.remote), then: HybridError.endless(.local)),
            "both sides failed; the remote one: \(HybridError.endless(.remote)); the local one: \(HybridError.endless(.local))"
        ),
        (
            .brokenOff(.remote, HybridError.endless(.remote)),
            "the remote side failed in the middle of its answer: \(HybridError.endless(.remote))"
        ),
    ]

    @Test(arguments: texts.indices)
    func `Errors state which side failed and why`(index: Int) {
        let (error, text) = Self.texts[index]
        #expect("\(error)" == text && error.localizedDescription == text)
    }
}
