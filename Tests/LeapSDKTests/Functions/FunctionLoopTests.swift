import LeapSDK
import Synchronization
import Testing
import _LeapTestSupport

/// Functions that a conversation runs itself, with a model that calls them repeatedly.
@Suite("Function loop")
struct FunctionLoopTests {
    private static let user = ChatMessage(role: .user, textContent: "Weather in Rome?")

    /// The responses and history for a model that generates exactly `text`.
    private func run(
        _ text: String, _ loop: FunctionLoop
    ) async throws -> (responses: [MessageResponse], history: [ChatMessage]) {
        let model = try ScriptedModel(text)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(LeapFunctionTests.weather)
        let stream = conversation.generateResponse(
            message: Self.user, generationOptions: GenerationOptions(temperature: 0), running: loop)
        return (try await collect(stream), conversation.history)
    }

    private static let call = "<|tool_call_start|>[get_weather(cities=['Rome'])]<|tool_call_end|>"

    @Test("results are returned to the model until the round limit, with one completion")
    func limit() async throws {
        let asked = Mutex(0)
        let loop = FunctionLoop(
            [
                "get_weather": { call in
                    asked.withLock { $0 += 1 }
                    return "sunny in \(call.argumentsJSON.text())"
                }
            ], roundLimit: 3)
        let (responses, history) = try await run("Hm." + Self.call, loop)
        #expect(asked.withLock { $0 } == 3)
        let roles: [ChatMessage.Role] = [.user, .assistant, .tool, .assistant, .tool, .assistant, .tool, .assistant]
        #expect(history.map(\.role) == roles)
        #expect(history[2].text == #"sunny in {"cities":["Rome"]}"#)
        #expect(responses.count { $0.asCompletion != nil } == 1 && responses.last?.asCompletion != nil)
        #expect(responses.text == "Hm.Hm.Hm.Hm.")
    }

    @Test("from the first answer to the last, the conversation is never free for another message")
    func alwaysHeld() async throws {
        let model = try ScriptedModel("Hm." + Self.call)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(LeapFunctionTests.weather)
        let stream = conversation.generateResponse(
            message: Self.user, generationOptions: GenerationOptions(temperature: 0),
            running: FunctionLoop(["get_weather": { _ in "sunny" }], roundLimit: 6))
        #expect(conversation.isGenerating)
        let isOver = Mutex(false)
        let intruder = Task.detached {
            var intrusions = 0
            while !isOver.withLock({ $0 }) {
                // A message that is refused leaves no trace; one that is not would be answered.
                if (try? await collect(conversation.generateResponse(message: Self.user))) != nil { intrusions += 1 }
            }
            return intrusions
        }
        _ = try await collect(stream)
        isOver.withLock { $0 = true }
        _ = await intruder.value
        let rounds: [[ChatMessage.Role]] = [[.user, .assistant]] + Array(repeating: [.tool, .assistant], count: 6)
        #expect(conversation.history.prefix(14).map(\.role) == Array(rounds.joined()))
        // The intruder was answered after it, if ever.
        #expect(!conversation.isGenerating)
    }

    @Test("while a function runs, the conversation is busy, so no message comes between call and result")
    func held() async throws {
        let model = try ScriptedModel("Hm." + Self.call)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(LeapFunctionTests.weather)
        let loop = FunctionLoop(
            [
                "get_weather": { _ in
                    #expect(conversation.isGenerating)
                    await #expect(throws: LeapError.self) {
                        _ = try await collect(conversation.generateResponse(message: Self.user))
                    }
                    return "sunny"
                }
            ], roundLimit: 1)
        let stream = conversation.generateResponse(
            message: Self.user, generationOptions: GenerationOptions(temperature: 0), running: loop)
        _ = try await collect(stream)
        #expect(conversation.history.map(\.role) == [.user, .assistant, .tool, .assistant])
        #expect(!conversation.isGenerating)
    }

    @Test("the message is in the history at once, and discarding or cancelling the loop frees the conversation at once")
    func stopped() async throws {
        let runner = try await loadEndless()
        let loop = FunctionLoop(["get_weather": { _ in "never" }])
        // To this one the model's answer is endless.
        let user = ChatMessage(role: .user, textContent: "The capital of France?")
        for _ in 0..<100 {
            let conversation = runner.createConversation()
            let start = { @Sendable in
                conversation.generateResponse(message: user, generationOptions: endless, running: loop)
            }
            let stream = start()
            #expect(conversation.history == [user] && conversation.isGenerating)
            let reader = Task { try await collect(stream) }
            reader.cancel()
            _ = try await reader.value
            #expect(!conversation.isGenerating && conversation.history.isEmpty)
            for try await _ in start() { break }
            #expect(!conversation.isGenerating && conversation.history.isEmpty)
            _ = start()
            let answer = try await collect(
                conversation.generateResponse(message: user, generationOptions: short)
            ).completion
            #expect(conversation.history == [user, answer?.message])
        }
    }

    @Test("a function that ignores cancellation keeps the conversation busy until it returns")
    func stubborn() async throws {
        let model = try ScriptedModel("Hm." + Self.call)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(LeapFunctionTests.weather)
        let hasBegun = Mutex(false)
        let mayReturn = Mutex(false)
        let loop = FunctionLoop([
            "get_weather": { _ in
                hasBegun.withLock { $0 = true }
                while !mayReturn.withLock({ $0 }) { await Task.yield() }
                return "sunny"
            }
        ])
        let reader = Task {
            try await collect(
                conversation.generateResponse(
                    message: Self.user, generationOptions: GenerationOptions(temperature: 0), running: loop))
        }
        try await eventually { hasBegun.withLock { $0 } }
        reader.cancel()
        _ = try await reader.value
        #expect(conversation.isGenerating)
        mayReturn.withLock { $0 = true }
        try await eventually { !conversation.isGenerating }
        #expect(conversation.history.map(\.role) == [.user, .assistant, .tool])
    }

    @Test("an answer without calls ends the loop")
    func ends() async throws {
        let (responses, history) = try await run("Sunny.", FunctionLoop(["get_weather": { _ in "never" }]))
        #expect(responses.text == "Sunny." && history.count == 2)
    }

    @Test("a refused call and a thrown error are reported to the model")
    func refused() async throws {
        struct Storm: Error, CustomStringConvertible { let description = "there is a storm" }
        let refusing = FunctionLoop(["get_weather": { _ in "never" }], roundLimit: 1, approves: { _ in false })
        #expect(try await run(Self.call, refusing).history[2].text == "error: this call was refused by the user")
        let failing = FunctionLoop(["get_weather": { _ in throw Storm() }], roundLimit: 1)
        #expect(try await run(Self.call, failing).history[2].text == "error: there is a storm")
    }

    @Test("cancelled calls get results that say so")
    func cancelled() async throws {
        let model = try ScriptedModel("<|tool_call_start|>[get_weather(cities=['Rome']), f()]<|tool_call_end|>")
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(LeapFunctionTests.weather)
        let stream = conversation.generateResponse(
            message: Self.user, generationOptions: GenerationOptions(temperature: 0),
            running: FunctionLoop(["get_weather": { _ in throw CancellationError() }]))
        await #expect(throws: LeapError.self) { _ = try await collect(stream) }
        #expect(conversation.history.map(\.role) == [.user, .assistant, .tool, .tool])
        #expect(conversation.history.suffix(2).allSatisfy { $0.text == "error: this call was cancelled" })
        #expect(!conversation.isGenerating)
    }

    @Test("an invalid call is reported to the model and not run")
    func mistakes() async throws {
        let loop = FunctionLoop(["get_weather": { _ in "never" }], roundLimit: 1)
        let history = try await run("<|tool_call_start|>[get_weather(cities=3), f()]<|tool_call_end|>", loop).history
        #expect(history[2].text.hasPrefix("error: ") && history[3].text.contains("unknown function 'f'"))
    }

    @Test("a custom runner's calls are run even if its completions do not contain them")
    func customRunner() async throws {
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
        let runner = ScriptedRunner { conversation, _ in
            let result = conversation.history.last { $0.role == .tool }
            let message = ChatMessage(role: .assistant, content: [])
            return [
                result.map { .chunk("It is \($0.text).") } ?? .functionCall([call]),
                .complete(MessageCompletion(message: message, finishReason: .stop, stats: nil)),
            ]
        }
        let conversation = Conversation(modelRunner: runner, history: [])
        conversation.registerFunction(LeapFunctionTests.weather)
        let stream = conversation.generateResponse(
            message: Self.user, running: FunctionLoop(["get_weather": { _ in "sunny" }]))
        let responses = try await collect(stream)
        #expect(conversation.history.map(\.role) == [.user, .assistant, .tool, .assistant])
        #expect(conversation.history[1].functionCalls == [call])
        #expect(responses.last?.asCompletion?.message.text == "It is sunny.")
    }

    @Test("a call to a function without an implementation ends the loop and is left to the app")
    func withoutImplementation() async throws {
        let (responses, history) = try await run(Self.call, FunctionLoop([:]))
        #expect(history.map(\.role) == [.user, .assistant])
        #expect(responses.last?.asCompletion?.message.functionCalls?.count == 1)
    }
}
