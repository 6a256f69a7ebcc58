import Foundation
import LeapGGUF
import LeapGeneration
import LeapSDK
import Testing
import _LeapTestSupport

/// An app whose model file is truncated gets an error, and keeps running.
@Suite("Truncated model files")
struct LostFileTests {
    private static let user = ChatMessage(role: .user, textContent: "The capital of France?")

    /// Expects an error that says that the file shrank or was changed.
    private func expectChangedFile(_ error: (any Error)?) {
        guard case .generationFailure(let text, let cause)? = error as? LeapError,
            case .file(.path(_, let problem))? = cause as? GenerationError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        switch problem {
        case .lost: #expect(text.contains("shrank while it was in use"))
        case .changed: #expect(text.contains("was changed after it was opened"))
        default: Issue.record("\(problem)")
        }
    }

    /// Reads an answer to its end and runs a closure at its first chunk.
    private func error(of conversation: any Conversation, atFirst body: () -> Void = {}) async -> (any Error)? {
        do {
            var isFirst = true
            for try await response in conversation.generateResponse(message: Self.user, generationOptions: endless) {
                guard isFirst, case .chunk = response else { continue }
                isFirst = false
                body()
            }
            return nil
        } catch { return error }
    }

    @Test("truncation between two generations fails all further generations")
    func between() async throws {
        let folder = try TemporaryFolder()
        let path = try changedFixture(in: folder) { _ in }
        let runner = try await Leap.load(url: URL(fileURLWithPath: path))
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        #expect(truncate(path, 4096) == 0)
        for _ in 0..<2 { expectChangedFile(await error(of: conversation)) }
        // The restored file can be loaded again.
        try Data(contentsOf: URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path)).write(
            to: URL(fileURLWithPath: path))
        let again = try await Leap.load(url: URL(fileURLWithPath: path)).createConversation(systemPrompt: nil)
        _ = try await collect(again.generateResponse(message: Self.user, generationOptions: short))
    }

    @Test("truncation during a generation fails it and the next one, a hundred times", arguments: [1, 4096, 100_000])
    func during(size: Int) async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<100 {
            let path = try changedFixture(in: folder, extendContext)
            let options = LiquidInferenceEngineOptions(bundlePath: "", cpuThreads: 2)
            let runner = try await Leap.load(url: URL(fileURLWithPath: path), options: options)
            let conversation = runner.createConversation(systemPrompt: nil)
            expectChangedFile(await error(of: conversation) { truncate(path, off_t(size)) })
            #expect(conversation.history.isEmpty)
            expectChangedFile(await error(of: conversation))
            await runner.unload()
        }
    }

    @Test("truncation while loading gives a model or an error that names the file")
    func whileLoading() async throws {
        let folder = try TemporaryFolder()
        for _ in 0..<50 {
            let path = try changedFixture(in: folder) { _ in }
            let truncation = Task.detached { truncate(path, 4096) }
            do {
                _ = try await Leap.load(url: URL(fileURLWithPath: path))
            } catch {
                #expect("\(error)".contains(path))
            }
            _ = await truncation.value
        }
    }

    @Test("truncation does not affect a model that was read into memory")
    func copied() async throws {
        let folder = try TemporaryFolder()
        let path = try changedFixture(in: folder) { _ in }
        let options = LiquidInferenceEngineOptions(bundlePath: "", useMmap: false)
        let runner = try await Leap.load(url: URL(fileURLWithPath: path), options: options)
        #expect(truncate(path, 0) == 0)
        let conversation = runner.createConversation(systemPrompt: nil)
        _ = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
    }
}
