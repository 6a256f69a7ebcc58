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
        /// The generations, by the identities of their flags.
        var running: [ObjectIdentifier: Running] = [:]
    }

    /// A generation that has not ended.
    private struct Running {
        let cancellation: CancellationFlag
        /// Whether it ends because the model was unloaded, and was not cancelled before.
        var endsByUnloading: Bool
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
    /// - Throws: ``EngineError/unloaded``, also when the model is unloaded meanwhile, or `GenerationError` for what cannot be
    ///   generated.
    public func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag, pause: PauseFlag? = nil,
        emit: @escaping @Sendable (GenerationEvent) -> Void
    ) async throws -> GenerationResult {
        let identity = ObjectIdentifier(cancellation)
        state.withLock { state in
            state.running[identity] = Running(cancellation: cancellation, endsByUnloading: state.model == nil)
        }
        loop.announceRequest()
        defer { state.withLock { $0.running[identity] = nil } }
        let result = try await loop.generate(request, cancellation: cancellation, pause: pause, emit: emit)
        if result.finishReason == .cancelled, state.withLock({ $0.running[identity]?.endsByUnloading }) == true {
            throw EngineError.unloaded
        }
        return result
    }

    /// Generates an answer and reads the calls in it.
    ///
    /// A call that cannot be parsed arrives as text, and `AnswerEvent.unreadableCall` gives the reason.
    ///
    /// - Parameters:
    ///   - pause: Suspends the generation while set. To cancel a suspended generation, release it as well.
    ///   - emit: Called on the engine's thread, and never after cancellation; must not block the thread.
    /// - Throws: What ``generate(_:cancellation:pause:emit:)`` throws.
    public func answer(
        _ request: GenerationRequest, cancellation: CancellationFlag, pause: PauseFlag? = nil,
        emit: @escaping @Sendable (AnswerEvent) -> Void
    ) async throws -> Answer {
        let speechOutput = try model().speechOutput
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
        let spoken = samples.withLock(\.self)
        // Registered, so that a later prompt can show the model what it said.
        let sound = spoken.isEmpty ? nil : result.spoken.flatMap { speechOutput?.store($0, sounding: spoken) }
        return Answer(result: result, calls: calls.withLock(\.self), sound: sound)
    }

    /// Pages the weights in, and prefills the tokens with which every conversation with these instructions and tools begins.
    ///
    /// - Throws: ``EngineError/unloaded``, or what ``LoadedModel/request(_:limit:)`` throws for such a conversation.
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
        let ended = state.withLock { state in
            state.model = nil
            let ended = state.running.filter { !$0.value.cancellation.isCancelled }
            for identity in ended.keys { state.running[identity]?.endsByUnloading = true }
            return ended.values.map(\.cancellation)
        }
        ended.forEach { $0.cancel() }
        loop.prepareToUnload()
        await loop.unload()
    }
}
