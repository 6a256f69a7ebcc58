import Dispatch
import LeapChat
import LeapGGUF
public import LeapGeneration
import LeapModels
public import LeapOps
import Synchronization

/// A loaded model that answers any number of requests at the same time: what apps, servers and tools share.
///
/// Dropping the engine while it generates is safe: a generation keeps what it needs until it ends.
public final class Engine: Sendable {
    /// The version of this package, `major.minor.patch`.
    public static let version = "0.1.0"

    private let loop: PassLoop
    private let state: Mutex<State>

    private struct State {
        /// `nil` once unloaded.
        var model: LoadedModel?
        var running: [ObjectIdentifier: CancellationFlag] = [:]
    }

    /// Loads a model on the calling thread.
    ///
    /// - Throws: What is wrong with the file, or ``EngineError/contextDoesNotFit``.
    public init(_ options: ModelOptions, compute: Compute) throws {
        let (model, scheduler) = try LoadedModel.load(options, compute)
        loop = PassLoop(scheduler)
        state = Mutex(State(model: model))
    }

    /// The model.
    ///
    /// - Throws: ``EngineError/unloaded``.
    public func model() throws(EngineError) -> LoadedModel {
        guard let model = state.withLock({ $0.model }) else { throw .unloaded }
        return model
    }

    /// Generates tokens concurrently with all other generations.
    ///
    /// - Parameters:
    ///   - cancellation: Ends the generation, as ``unload()`` does.
    ///   - pause: Suspends the generation while set. To cancel a suspended generation, release it as well.
    ///   - emit: Called on the engine's thread; must not block it.
    public func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag, pause: PauseFlag? = nil,
        emit: @escaping @Sendable (GenerationEvent) -> Void
    ) async throws -> GenerationResult {
        state.withLock { $0.running[ObjectIdentifier(cancellation)] = cancellation }
        loop.announceRequest()
        defer { state.withLock { $0.running[ObjectIdentifier(cancellation)] = nil } }
        let result = try await loop.generate(request, cancellation: cancellation, pause: pause, emit: emit)
        if result.finishReason == .cancelled { _ = try model() }
        return result
    }

    /// Generates an answer and reads the calls in it.
    ///
    /// A call that cannot be parsed arrives as text, and `AnswerEvent.unreadableCall` gives the reason.
    ///
    /// - Parameters:
    ///   - pause: Suspends the generation while set. To cancel a suspended generation, release it as well.
    ///   - emit: Called on the engine's thread, and never after cancellation; must not block the thread.
    public func answer(
        _ request: GenerationRequest, cancellation: CancellationFlag, pause: PauseFlag? = nil,
        emit: @escaping @Sendable (AnswerEvent) -> Void
    ) async throws -> Answer {
        let calls = Mutex<[ToolCall]>([])
        let samples = Mutex<[Float]>([])
        let result = try await generate(request, cancellation: cancellation, pause: pause) { event in
            guard !cancellation.isCancelled else { return }
            switch event {
            case .calls(let more): calls.withLock { $0 += more }
            case .sound(let more): samples.withLock { $0 += more }
            default: break
            }
            emit(event)
        }
        let sound = try sound(samples.withLock(\.self), of: result)
        return Answer(result: result, calls: calls.withLock(\.self), sound: sound)
    }

    /// The recording of a spoken answer, registered so that a later prompt can show the model what it said; `nil` if it
    /// said nothing.
    private func sound(_ samples: [Float], of result: GenerationResult) throws(EngineError) -> Sound? {
        guard let spoken = result.spoken, !samples.isEmpty, let speechOutput = try model().speechOutput else {
            return nil
        }
        return speechOutput.store(spoken, sounding: samples)
    }

    /// Pages the weights in, and prefills the tokens with which every conversation with these instructions and tools begins.
    public func prewarm(instructions: String?, tools: [Tool]) async throws {
        let model = try model()
        let tokens = try model.beginning(instructions: instructions, tools: tools)
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                model.weights.file.prefetch()
                continuation.resume()
            }
        }
        await loop.prewarm(tokens)
    }

    /// Ends all generations and returns the model's memory.
    public func unload() async {
        let running = state.withLock { state in
            state.model = nil
            return state.running.values
        }
        running.forEach { $0.cancel() }
        loop.prepareToUnload()
        await loop.unload()
    }
}
