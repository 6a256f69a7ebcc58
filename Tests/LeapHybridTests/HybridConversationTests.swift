import Foundation
import LeapHybrid
import LeapJSON
import LeapOpenAIClient
import LeapSDK
import Testing
import _LeapHTTPTestSupport

@Suite("Hybrid conversations", .timeLimit(.minutes(2)))
struct HybridConversationTests {
    private let question = Message(role: .user, textContent: "Why?")

    @Test func `The local model answers by default`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model())
        let responses = try await collect(conversation.generateResponse(message: question, generationOptions: greedy))
        #expect(responses.text == "local answer")
        let completion = try #require(responses.completion)
        #expect(completion.route == HybridRoute(side: .local, reason: "the local model is the default"))
        #expect(responses.first == .route(completion.route))
        #expect(completion.ending == .endOfTurn && completion.usage == nil)
        #expect(completion.stats?.completionTokens ?? 0 > 0)
        #expect(conversation.history == [question, completion.message] && !conversation.isGenerating)
        #expect(server.requests.isEmpty)
    }

    @Test func `The remote model answers if the policy chooses it, with statistics`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(), policy: .always(.remote))
        let responses = try await collect(conversation.generateResponse(userTextMessage: "Why?"))
        let completion = try #require(responses.completion)
        #expect(Array(responses.dropFirst().dropLast()) == [.chunk("remote"), .chunk(" answer")])
        #expect(
            completion.route.side == .remote && completion.finishReason == "stop" && completion.ending == .endOfTurn)
        #expect(completion.usage?.totalTokens == 12)
        let stats = try #require(completion.stats)
        #expect(stats.promptTokens == 6 && stats.cachedPromptTokens == 4 && stats.completionTokens == 2)
        #expect(stats.timeToFirstToken > 0)
        #expect(conversation.history.map(\.text) == ["Why?", "remote answer"])
        #expect(
            server.bodies == [
                #"{"model":"m","messages":[{"role":"user","content":"Why?"}],"stream_options":{"include_usage":true},"#
                    + #""stream":true}"#
            ])
    }

    @Test func `Both sides share one history`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        let policy = RoutingPolicy { request in
            RoutingDecision(request.messages.count == 1 ? .local : .remote, reason: "by turns")
        }
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model(), policy: policy)
        _ = try await collect(conversation.generateResponse(message: question, generationOptions: greedy))
        _ = try await collect(conversation.generateResponse(userTextMessage: "And?"))
        #expect(conversation.history.map(\.text) == ["Why?", "local answer", "And?", "remote answer"])
        let body = try JSONValue(parsing: try #require(server.bodies.last))
        #expect(
            body["messages"] == [
                ["role": "user", "content": "Why?"], ["role": "assistant", "content": "local answer"],
                ["role": "user", "content": "And?"],
            ])
    }

    @Test func `The local model continues after a remote call and the function's result`() async throws {
        let stream = """
            data: {"choices":[{"delta":{"reasoning_content":"Let me look."}}]}

            data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"time","arguments":""}}]}}]}

            data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"zone\\":\\"UTC\\"}"}}]},"finish_reason":"tool_calls"}]}

            data: [DONE]


            """
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming(stream))
        let policy = RoutingPolicy { request in
            RoutingDecision(request.messages.last?.role == .tool ? .local : .remote, reason: "by role")
        }
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model(), policy: policy)
        conversation.registerFunction(
            LeapFunction(
                name: "time", description: "Tells the time.",
                parameters: [LeapFunctionParameter(name: "zone", type: .string(StringType()), description: "The zone.")]
            ))
        let responses = try await collect(conversation.generateResponse(message: question))
        let call = LeapFunctionCall(name: "time", argumentsJSON: ["zone": "UTC"])
        #expect(responses.dropFirst().first == .reasoningChunk("Let me look."))
        #expect(responses.contains(.functionCall([call])))
        #expect(responses.completion?.message.functionCalls == [call])
        #expect(responses.completion?.message.reasoningContent == "Let me look.")
        let body = try JSONValue(parsing: try #require(server.bodies.last))
        #expect(body["tools"]?.array?.first?["function"]?["name"] == "time")

        conversation.appendToHistory(Message(role: .tool, textContent: "12:00"))
        let last = try await collect(conversation.generateResponse(generationOptions: greedy))
        #expect(
            last.text == "local answer" && conversation.history.map(\.role) == [.user, .assistant, .tool, .assistant])
    }

    @Test func `A second generation while one is running is an error`() async throws {
        let server = try await ScriptedServer.each { await $0.waitForClose() }
        let conversation = HybridConversation(
            modelRunner: SilentRunner(), remote: server.model(), policy: .always(.remote))
        let first = conversation.generateResponse(message: question)
        #expect(conversation.isGenerating && conversation.history == [question])
        let error = await #expect(throws: HybridError.self) {
            try await collect(conversation.generateResponse(message: question))
        }
        guard case .busy? = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
        #expect(conversation.history == [question])
        withExtendedLifetime(first) {}
    }

    @Test func `An invalid function fails the next generation`() async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model())
        conversation.registerFunction(LeapFunction(name: "not a name", description: "", parameters: []))
        let error = await #expect(throws: HybridError.self) {
            try await collect(conversation.generateResponse(message: question))
        }
        guard case .function? = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
        #expect(conversation.history.isEmpty && conversation.functions.isEmpty)
    }

    // MARK: Stopping

    @Test(arguments: [false, true])
    func `Breaking out of or cancelling a remote answer closes its connection`(isCancelled: Bool) async throws {
        let (wasClosed, isRead) = (Signal(), Signal())
        let server = try await ScriptedServer.each { connection in
            try await connection.write(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
                    + "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
            await connection.waitForClose()
            await wasClosed.set()
        }
        let conversation = HybridConversation(
            modelRunner: SilentRunner(), remote: server.model(), policy: .always(.remote))
        let question = question
        let task = Task {
            for try await response in conversation.generateResponse(message: question) {
                guard case .chunk = response else { continue }
                await isRead.set()
                if !isCancelled { break }
            }
        }
        await isRead.wait()
        if isCancelled { task.cancel() }
        await wasClosed.wait()
        _ = await task.result
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
    }

    @Test func `Breaking out of the loop stops the local model`() async throws {
        let (runner, server) = (SilentRunner(), try await ScriptedServer.streaming())
        let conversation = HybridConversation(
            modelRunner: runner, remote: server.model(), policy: .always(.local))
        for try await _ in conversation.generateResponse(message: question) { break }
        while !runner.isStopped { try await Task.sleep(for: .milliseconds(1)) }
        #expect(conversation.history.isEmpty && !conversation.isGenerating && server.requests.isEmpty)
    }
}
