import LeapGeneration
import LeapJSON
import LeapOps
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapEngine

/// Answers that look like calls although nothing can be called.
@Suite("Calls without tools")
struct CallsWithoutToolsTests {
    @Test("what looks like a call is text, and waits for its end only if there are tools", arguments: [false, true])
    func text(hasTools: Bool) async throws {
        let script = "Hm. <|tool_call_start|>[f(a='x', b=[1, 2])]<|tool_call_end|> Yes."
        let model = try ScriptedModel(script)
        let engine = try Engine(ModelOptions(path: model.path), compute: Compute(threads: 1))
        var options = AnswerOptions()
        options.sampling.temperature = 0
        let tools = [Tool(name: "other", json: ["type": "function", "function": ["name": "other"]])]
        let request = try engine.model().request(
            ChatRequest([Message(.user, "Hi")], tools: hasTools ? tools : [], options))
        let pieces = Mutex<[String]>([])
        let result = try await engine.generate(request, cancellation: CancellationFlag()) { event in
            if case .text(let text) = event { pieces.withLock { $0.append(text) } }
        }
        #expect(result.text == script)
        let texts = pieces.withLock(\.self)
        #expect(texts.joined() == script)
        let longest = texts.map(\.count).max() ?? 0
        #expect(hasTools ? longest > 20 : longest <= "<|tool_call_start|>".count)
        await engine.unload()
    }
}
