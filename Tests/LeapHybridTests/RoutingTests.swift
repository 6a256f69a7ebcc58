import Foundation
import LeapHybrid
import LeapJSON
import LeapOpenAIClient
import LeapSDK
import Synchronization
import Testing
import _LeapHTTPTestSupport

@Suite("Routing")
struct RoutingTests {
    private func request(
        _ messages: [Message] = [Message(role: .user, textContent: "Why?")], functions: [LeapFunction] = [],
        options: GenerationOptions.Values = .init(), failures: [HybridSide: HybridFailures] = [:],
        runner: any ModelRunner = SilentRunner()
    ) -> RoutingRequest {
        RoutingRequest(
            messages: messages, functions: functions, options: options,
            capabilities: [.local: [.tools, .grammars], .remote: [.tools, .images, .schemas]], failures: failures,
            modelRunner: runner)
    }

    private let function = LeapFunction(name: "f", description: "", parameters: [])
    private let picture = Message(role: .user, content: [.text("What?"), .image(Data([1]))])

    @Test func `A side without the required capabilities is not chosen`() async {
        #expect(await RoutingPolicy.capabilities.decision(for: request()) == nil)
        #expect(await RoutingPolicy.capabilities.decision(for: request(functions: [function])) == nil)
        let images = await RoutingPolicy.capabilities.decision(for: request([picture]))
        #expect(images == RoutingDecision(.remote, reason: "the local side cannot handle images"))
        var options = GenerationOptions.Values()
        options.grammarConstraint = "root ::= \"a\""
        let grammar = await RoutingPolicy.capabilities.decision(for: request(options: options))
        #expect(
            grammar == RoutingDecision(.local, reason: "the remote side cannot handle regular expressions and grammars")
        )
        // Neither side can do both.
        #expect(await RoutingPolicy.capabilities.decision(for: request([picture], options: options)) == nil)
    }

    @Test func `Required capabilities follow from messages, functions and options`() {
        var options = GenerationOptions.Values()
        options.jsonSchemaConstraint = "{}"
        options.regexConstraint = "a"
        let sound = Message(role: .user, content: [.audio(Data([1]))])
        let all = request([picture, sound], functions: [function], options: options)
        #expect(all.needs == [.images, .audio, .tools, .schemas, .grammars])
        #expect(all.lacks(.remote) == [.audio, .grammars] && all.lacks(.local) == [.images, .audio, .schemas])
        #expect("\(all.needs)" == "images, audio, functions, JSON Schemas, regular expressions and grammars")
        #expect(request().needs == [])
    }

    @Test func `The length of a prompt is counted in tokens of the local model`() async throws {
        let local = try await LocalModel()
        let request = request(runner: local.runner)
        let count = try await request.promptTokens()
        #expect(count > 3)
        #expect(await RoutingPolicy.longPrompts(over: count, to: .remote).decision(for: request) == nil)
        #expect(
            await RoutingPolicy.longPrompts(over: count - 1, to: .remote).decision(for: request)
                == RoutingDecision(.remote, reason: "the prompt has \(count) tokens, more than \(count - 1)"))
        let unknown = await RoutingPolicy.longPrompts(over: 5, to: .remote).decision(for: self.request())
        #expect(unknown?.side == .remote && unknown?.reason.hasPrefix("the prompt's tokens cannot be counted") == true)
    }

    @Test(arguments: HybridSide.allCases)
    func `An always policy has no fallback, and a preferring policy has one`(side: HybridSide) async {
        #expect(
            await RoutingPolicy.always(side).decision(for: request())
                == RoutingDecision(side, reason: "the \(side.rawValue) side always answers", hasFallback: false))
        #expect(
            await RoutingPolicy.preferring(side).decision(for: request())
                == RoutingDecision(side, reason: "the \(side.rawValue) side is preferred"))
    }

    @Test func `Conversations with functions can be routed to one side`() async {
        #expect(await RoutingPolicy.tools(to: .remote).decision(for: request()) == nil)
        #expect(
            await RoutingPolicy.tools(to: .remote).decision(for: request(functions: [function]))
                == RoutingDecision(.remote, reason: "the conversation has functions"))
    }

    @Test func `A side that failed recently is not chosen`() async {
        let policy = RoutingPolicy.failures(2, for: .seconds(60))
        let now = ContinuousClock.now
        #expect(await policy.decision(for: request()) == nil)
        #expect(await policy.decision(for: request(failures: [.remote: .init(count: 1, last: now)])) == nil)
        #expect(
            await policy.decision(for: request(failures: [.remote: .init(count: 2, last: now)]))
                == RoutingDecision(.local, reason: "the remote side failed recently"))
        let old = HybridFailures(count: 9, last: now - .seconds(61))
        #expect(await policy.decision(for: request(failures: [.remote: old])) == nil)
        let both = HybridFailures(count: 2, last: now)
        #expect(await policy.decision(for: request(failures: [.remote: both, .local: both])) == nil)
    }

    @Test func `A conversation does not choose a side that failed in the previous generation`() async throws {
        let local = try await LocalModel()
        let server = try await ScriptedServer.each { try await $0.respond(500, text: "No") }
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(),
            policy: .first(of: [.failures(for: .seconds(60)), .preferring(.remote)]))
        for _ in 0..<2 {
            _ = try await collect(conversation.generateResponse(userTextMessage: "Why?", generationOptions: greedy))
        }
        #expect(server.requests.count == 1)
    }

    @Test func `A success resets the failures of a side in a conversation`() async throws {
        let local = try await LocalModel()
        let count = Atomic(0)
        // Every other request fails, so two never fail in a row.
        let server = try await ScriptedServer.each { connection in
            guard count.add(1, ordering: .relaxed).newValue.isMultiple(of: 2) else {
                return try await connection.respond(500, text: "No")
            }
            try await connection.respond(headers: ["Content-Type": "text/event-stream"], text: remoteStream)
        }
        let conversation = HybridConversation(
            modelRunner: local.runner, remote: server.model(),
            policy: .first(of: [.failures(2, for: .seconds(3600)), .preferring(.remote)]))
        var texts: [String] = []
        for _ in 0..<4 {
            let stream = conversation.generateResponse(userTextMessage: "Why?", generationOptions: greedy)
            texts.append(try await collect(stream).text)
        }
        #expect(texts == ["local answer", "remote answer", "local answer", "remote answer"])
        #expect(server.requests.count == 4)
    }

    @Test func `The first policy with a decision wins, also among modified ones`() async {
        let none = RoutingPolicy { _ in nil }
        let policy = RoutingPolicy.first(of: [none, .tools(to: .remote), .always(.local)])
        #expect(await policy.decision(for: request())?.side == .local)
        #expect(await policy.decision(for: request(functions: [function]))?.side == .remote)
        let hasty = none.firstToken(within: .seconds(1)).withoutFallback()
        #expect(await hasty.decision(for: request()) == nil)
        let next = RoutingPolicy.first(of: [hasty, .preferring(.remote)])
        #expect(await next.decision(for: request()) == RoutingPolicy.preferring(.remote).decision(for: request()))
        let changed = await RoutingPolicy.preferring(.remote).firstToken(within: .seconds(1)).withoutFallback()
            .decision(for: request())
        #expect(changed?.side == .remote && changed?.firstToken == .seconds(1) && changed?.hasFallback == false)
    }

    @Test(arguments: [false, true])
    func `Modifiers also apply to the default decision if all policies abstain`(isInList: Bool) async throws {
        let (local, server) = (try await LocalModel(), try await ScriptedServer.streaming())
        await local.runner.unload()
        let none = RoutingPolicy { _ in nil }
        let policy = isInList ? RoutingPolicy.first(of: [none, none.withoutFallback()]) : none.withoutFallback()
        let conversation = HybridConversation(modelRunner: local.runner, remote: server.model(), policy: policy)
        let error = await #expect(throws: HybridError.self) {
            try await collect(conversation.generateResponse(userTextMessage: "Why?", generationOptions: greedy))
        }
        guard case .failed(.local, _)? = error else {
            Issue.record("found \(String(describing: error))")
            return
        }
        #expect(server.requests.isEmpty)
    }
}
