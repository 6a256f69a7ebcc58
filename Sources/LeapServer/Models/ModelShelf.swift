import LeapEngine
import Logging
import Synchronization

/// The models that the server offers. They are loaded on demand and unloaded when idle.
final class ModelShelf: Sendable {
    /// The state of a model.
    enum Condition: String, Sendable {
        case absent, loading, ready, failed
    }

    /// The limits of loaded models.
    struct Limits: Sendable {
        /// Bytes of all loaded files together; `nil` is no limit.
        var memory: Int?
        /// How long an idle model stays loaded; `nil` means forever.
        var keepAlive: Duration?
        /// How long a failure is remembered, so that it is not tried again with every request.
        var failureMemory = Duration.seconds(30)
    }

    fileprivate struct Place {
        let card: ModelCard
        var model: ShelvedModel?
        var loading: Task<ShelvedModel, any Error>?
        var failure: (error: APIError, cause: any Error, until: ContinuousClock.Instant)?
        var leases = 0
        var lastUse = ContinuousClock.now
        /// How long it stays loaded when idle, if a client has set that; negative means forever.
        var keepAlive: Duration?

        /// When it is unloaded if it stays idle; `nil` is never.
        func end(_ limits: Limits) -> ContinuousClock.Instant? {
            guard let keepAlive = keepAlive ?? limits.keepAlive, keepAlive >= .zero else { return nil }
            return lastUse + keepAlive
        }
    }

    private let places: Mutex<[Place]>
    private let load: @Sendable (ModelCard) throws -> ShelvedModel
    private let limits: Limits
    private let logger: Logger
    /// One model is loaded at a time.
    private let loader = Loader()

    private actor Loader {
        func run(_ work: @Sendable () throws -> ShelvedModel) throws -> ShelvedModel { try work() }
    }

    /// - Parameter load: Loads a model; runs for seconds.
    init(
        _ cards: [ModelCard], _ limits: Limits, _ logger: Logger,
        load: @escaping @Sendable (ModelCard) throws -> ShelvedModel
    ) {
        places = Mutex(cards.map { Place(card: $0) })
        self.limits = limits
        self.logger = logger
        self.load = load
    }

    /// All models with their states.
    var contents: [(card: ModelCard, condition: Condition)] {
        places.withLock { $0.map { ($0.card, $0.condition) } }
    }

    /// The same for local models only.
    var contentsHere: [(card: ModelCard, condition: Condition)] { contents.filter { $0.card.remote == nil } }

    /// The model by a name, if it is loaded.
    func loaded(_ name: String?) -> (card: ModelCard, model: ShelvedModel)? {
        places.withLock { places in
            let index = try? Self.index(of: name, in: places)
            return index.flatMap { index in places[index].model.map { (places[index].card, $0) } }
        }
    }

    /// The engine's error if a model could not be loaded; not for clients.
    func loadFailure(_ id: String) -> (any Error)? {
        places.withLock { places in places.first { $0.card.id == id }?.failure?.cause }
    }

    /// The description of a model by its name.
    func card(_ name: String?) throws(APIError) -> ModelCard {
        try places.withLock { places throws(APIError) in places[try Self.index(of: name, in: places)].card }
    }

    /// Leases a model, loading it first if necessary.
    ///
    /// - Parameter name: One of its names; `nil` means the only model, or the first that is loaded. A local model is
    ///   preferred to one of another server.
    /// - Throws: `model_not_found`, or why it cannot be loaded.
    func lease(_ name: String?) async throws(APIError) -> ModelLease {
        let (card, task) = try places.withLock { places throws(APIError) in
            let index = try Self.index(of: name, in: places)
            try places[index].card.requireHere()
            if let failure = places[index].failure, failure.until > .now { throw failure.error }
            places[index].leases += 1
            let task = places[index].model == nil ? places[index].loading ?? loading(places[index].card) : nil
            places[index].loading = task
            return (places[index].card, task)
        }
        do {
            if let task { _ = try await task.value }
            guard let model = places.withLock({ $0.first { $0.card.id == card.id }?.model }) else {
                throw EngineError.unloaded
            }
            return ModelLease(model, card) { [weak self] in self?.release(card) }
        } catch {
            release(card)
            throw error as? APIError ?? APIError(engine: error)
        }
    }

    private static func index(of name: String?, in places: [Place]) throws(APIError) -> Int {
        if let name {
            if let index = places.firstIndex(where: { $0.card.isNamed(name) }) { return index }
            let names = places.prefix(10).map { "'\($0.card.id)'" }.joined(separator: ", ")
            throw APIError(
                .notFound, "model '\(name)' not found: available models: \(names.isEmpty ? "none" : names)",
                param: "model",
                code: "model_not_found")
        }
        let here = places.firstIndex { $0.card.remote == nil }
        guard let index = places.firstIndex(where: { $0.model != nil }) ?? here ?? places.indices.first else {
            throw APIError(.notFound, "this server has no models", param: "model", code: "model_not_found")
        }
        return index
    }

    private func release(_ card: ModelCard) {
        places.withLock { places in
            guard let index = places.firstIndex(where: { $0.card.id == card.id }) else { return }
            places[index].leases -= 1
            places[index].lastUse = .now
        }
    }
}

extension ModelShelf.Place {
    fileprivate var condition: ModelShelf.Condition {
        if let remote = card.remote { return remote.isDown ? .failed : .ready }
        if model != nil { return .ready }
        if loading != nil { return .loading }
        return failure.map { $0.until > .now } ?? false ? .failed : .absent
    }
}

// MARK: - Loading and unloading

extension ModelShelf {
    /// Loads a model, after those that are being loaded.
    private func loading(_ card: ModelCard) -> Task<ShelvedModel, any Error> {
        Task { [self] in
            do {
                let model = try await loader.run {
                    let room = makeRoom(for: card)
                    room.forEach { model in Task { await model.unload() } }
                    return try load(card)
                }
                finishLoading(card) { $0.model = model }
                return model
            } catch {
                logger.error("a model could not be loaded", metadata: ["model": "\(card.id)", "error": "\(error)"])
                let failure = APIError(
                    .overloaded(retryAfter: 30), "the model '\(card.id)' cannot be loaded: see the server's log",
                    param: "model", code: "model_load_failed")
                finishLoading(card) { $0.failure = (failure, error, .now + limits.failureMemory) }
                throw failure
            }
        }
    }

    private func finishLoading(_ card: ModelCard, _ change: (inout Place) -> Void) {
        places.withLock { places in
            guard let index = places.firstIndex(where: { $0.card.id == card.id }) else { return }
            places[index].loading = nil
            places[index].failure = nil
            places[index].lastUse = .now
            change(&places[index])
        }
    }

    /// Removes idle models, the least recently used first, until another one fits.
    private func makeRoom(for card: ModelCard) -> [ShelvedModel] {
        guard let memory = limits.memory else { return [] }
        return places.withLock { places in
            var gone: [ShelvedModel] = []
            while places.loadedBytes + card.bytes > memory, let index = places.indexOfIdlest() {
                if let model = places[index].model.take() { gone.append(model) }
            }
            return gone
        }
    }

    /// Unloads models whose idle time is up.
    func putAwayIdle() async {
        let gone = places.withLock { places in
            places.indices.compactMap { index -> ShelvedModel? in
                guard places[index].leases == 0, let end = places[index].end(limits), end < .now else { return nil }
                return places[index].model.take()
            }
        }
        for model in gone { await model.unload() }
    }

    /// Sets how long a model stays loaded while idle, until this is called again; negative means forever.
    func keep(_ card: ModelCard, for keepAlive: Duration) {
        places.withLock { places in
            guard let index = places.firstIndex(where: { $0.card.id == card.id }) else { return }
            places[index].keepAlive = keepAlive
        }
    }

    /// How much longer a model stays loaded if it stays idle; `nil` means forever.
    func remainingStay(of card: ModelCard) -> Duration? {
        places.withLock { places in
            places.first { $0.card.id == card.id }?.end(limits).map { max(.zero, $0 - .now) }
        }
    }

    /// Unloads a model if it is idle.
    func putAway(_ card: ModelCard) async {
        let model = places.withLock { places -> ShelvedModel? in
            guard let index = places.firstIndex(where: { $0.card.id == card.id && $0.leases == 0 }) else { return nil }
            return places[index].model.take()
        }
        await model?.unload()
    }

    /// Unloads all.
    func putAwayAll() async {
        let models = places.withLock { places in places.indices.compactMap { places[$0].model.take() } }
        for model in models { await model.unload() }
    }
}

extension [ModelShelf.Place] {
    fileprivate var loadedBytes: Int { reduce(0) { $0 + ($1.model == nil ? 0 : $1.card.bytes) } }

    fileprivate func indexOfIdlest() -> Int? {
        indices.filter { self[$0].model != nil && self[$0].leases == 0 }.min { self[$0].lastUse < self[$1].lastUse }
    }
}
