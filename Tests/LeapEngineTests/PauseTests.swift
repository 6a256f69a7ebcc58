import LeapGeneration
import LeapOps
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapEngine

/// Paused answers, and models that share time.
@Suite("Pausing")
struct PauseTests {
    private static func engine(_ time: SharedTime? = nil) throws -> Engine {
        var options = ModelOptions(path: Fixture(name: "lfm2-chat-q8_0").path)
        options.sharedTime = time
        return try Engine(options, compute: Compute(threads: 1))
    }

    private static func request(_ engine: Engine, seed: UInt64 = 3, client: String = "") throws -> GenerationRequest {
        var options = AnswerOptions()
        options.sampling.temperature = 1.5
        options.maxTokens = 60
        options.ignoresEnd = true
        var request = try engine.model().request(continuing: "once upon a time", options)
        request.seed = seed
        request.client = client
        return request
    }

    @Test("a paused answer makes no progress while others continue, and ends with the same tokens")
    func holding() async throws {
        let engine = try Self.engine()
        let request = try Self.request(engine)
        let alone = try await engine.generate(request, cancellation: CancellationFlag()) { _ in }
        let pause = PauseFlag()
        let texts = Mutex<[String]>([])
        async let held = engine.generate(request, cancellation: CancellationFlag(), pause: pause) { event in
            guard case .text(let text) = event else { return }
            // Text of the current pass is still delivered.
            texts.withLock { texts in
                if texts.isEmpty { pause.set() }
                texts.append(text)
            }
        }
        try await eventually { pause.isSet }
        _ = try await engine.generate(Self.request(engine, seed: 4), cancellation: CancellationFlag()) { _ in }
        let known = texts.withLock(\.count)
        _ = try await engine.generate(Self.request(engine, seed: 5), cancellation: CancellationFlag()) { _ in }
        #expect(texts.withLock(\.count) == known)
        pause.release()
        let result = try await held
        #expect(result.tokens == alone.tokens)
        #expect(texts.withLock(\.count) > known)
        await engine.unload()
    }

    @Test("a paused answer can be cancelled, and does not prevent unloading the model")
    func ending() async throws {
        let engine = try Self.engine()
        let (request, flag, pause) = (try Self.request(engine), CancellationFlag(), PauseFlag())
        async let cancelled = engine.generate(request, cancellation: flag, pause: pause) { _ in pause.set() }
        try await eventually { pause.isSet }
        flag.cancel()
        pause.release()
        #expect(try await cancelled.finishReason == .cancelled)
        let other = PauseFlag()
        let unloaded = Task {
            try await engine.generate(request, cancellation: CancellationFlag(), pause: other) { _ in other.set() }
        }
        try await eventually { other.isSet }
        await engine.unload()
        await #expect(throws: EngineError.self) { try await unloaded.value }
    }

    @Test("models that share time answer all clients, and a paused answer delays nobody")
    func sharing() async throws {
        let time = SharedTime(lead: .zero)
        let engines = [try Self.engine(time), try Self.engine(time)]
        let expected = try await engines[0].generate(
            Self.request(engines[0]), cancellation: CancellationFlag()
        ) { _ in }
        let pause = PauseFlag()
        // The others must not wait for a paused client.
        async let held = engines[1].generate(
            Self.request(engines[1], client: "held"), cancellation: CancellationFlag(), pause: pause
        ) { _ in pause.set() }
        try await eventually { pause.isSet }
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                let engine = engines[number % 2]
                let request = try Self.request(engine, client: ["a", "b", "c"][number % 3])
                group.addTask {
                    try await engine.generate(request, cancellation: CancellationFlag()) { _ in }.tokens
                }
            }
            for try await tokens in group { #expect(tokens == expected.tokens) }
        }
        // Its own events set the flag again, so it is released repeatedly until it ends.
        let releasing = Task {
            while !Task.isCancelled {
                pause.release()
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        #expect(try await held.tokens == expected.tokens)
        releasing.cancel()
        for engine in engines { await engine.unload() }
    }
}
