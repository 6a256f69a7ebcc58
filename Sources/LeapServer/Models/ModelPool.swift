import LeapEngine
import Logging
import Synchronization

/// The models that the server offers. They are loaded on demand and unloaded when idle.
final class ModelPool: Sendable {
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

    fileprivate struct Entry {
        var card: ModelCard
        var model: PooledModel?
        var loading: Task<PooledModel, any Error>?
        var failure: (error: APIError, cause: any Error, until: ContinuousClock.Instant)?
        var leases = 0
        var lastUse = ContinuousClock.now
        /// How long it stays loaded when idle, if a client has set that since it was loaded; negative means forever.
        var keepAlive: Duration?
        /// The scales of its adapters, if a client has set them.
        var adapterScales: [Float]?

        /// Takes the model out, so that it no longer counts as loaded; the caller unloads it.
        mutating func takeModel() -> PooledModel? {
            keepAlive = nil
            return model.take()
        }

        /// When it is unloaded if it stays idle; `nil` is never.
        func end(_ limits: Limits) -> ContinuousClock.Instant? {
            guard let keepAlive = keepAlive ?? limits.keepAlive, keepAlive >= .zero else { return nil }
            return lastUse + keepAlive
        }
    }

    private let entries: Mutex<[Entry]>
    private let load: @Sendable (ModelCard) throws -> PooledModel
    private let limits: Limits
    private let logger: Logger
    /// One model is loaded at a time.
    private let loader = Loader()

    private actor Loader {
        private let executor = QueueExecutor("leap.loading")

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func run(_ work: @Sendable () throws -> PooledModel) throws -> PooledModel { try work() }
    }

    /// - Parameter load: Loads a model; runs for seconds.
    init(
        _ cards: [ModelCard], _ limits: Limits, _ logger: Logger,
        load: @escaping @Sendable (ModelCard) throws -> PooledModel
    ) {
        entries = Mutex(cards.map { Entry(card: $0) })
        self.limits = limits
        self.logger = logger
        self.load = load
    }

    /// All models with their states.
    var contents: [(card: ModelCard, condition: Condition)] {
        entries.withLock { $0.map { ($0.card, $0.condition) } }
    }

    /// The same for local models only.
    var localContents: [(card: ModelCard, condition: Condition)] { contents.filter { $0.card.remote == nil } }

    /// The model by a name, if it is loaded.
    func loaded(_ name: String?) -> (card: ModelCard, model: PooledModel)? {
        entries.withLock { entries in
            let index = try? Self.index(of: name, in: entries)
            return index.flatMap { index in entries[index].model.map { (entries[index].card, $0) } }
        }
    }

    /// The engine's error if a model could not be loaded; not for clients.
    func loadFailure(_ id: String) -> (any Error)? {
        entries.withLock { entries in entries.first { $0.card.id == id }?.failure?.cause }
    }

    /// The description of a model by its name.
    func card(_ name: String?) throws(APIError) -> ModelCard {
        try entries.withLock { entries throws(APIError) in entries[try Self.index(of: name, in: entries)].card }
    }

    /// Leases a model, loading it first if necessary.
    ///
    /// - Parameter name: One of its names; `nil` means the only model, or the first that is loaded. A local model is
    ///   preferred to one of another server.
    /// - Throws: `model_not_found`, or why it cannot be loaded.
    func lease(_ name: String?) async throws(APIError) -> ModelLease {
        let (card, task, stale) = try entries.withLock { entries throws(APIError) in
            let index = try Self.index(of: name, in: entries)
            try entries[index].card.requireHere()
            let stale = entries[index].model.flatMap { $0.isIntact ? nil : $0 }
            if stale != nil { entries[index].model = nil }
            if let failure = entries[index].failure, failure.until > .now { throw failure.error }
            entries[index].leases += 1
            let task = entries[index].model == nil ? entries[index].loading ?? loading(entries[index].card) : nil
            entries[index].loading = task
            return (entries[index].card, task, stale)
        }
        if let stale {
            logger.warning("a model's file has changed: loading it again", metadata: ["model": "\(card.id)"])
            await stale.unload()
        }
        do {
            if let task { _ = try await task.value }
            // The description too: loading has read the size and age of a file that was replaced.
            guard let (card, model) = loaded(card) else { throw EngineError.unloaded }
            return ModelLease(model, card) { [weak self] in self?.release(card) }
        } catch {
            release(card)
            throw error as? APIError ?? APIError(engine: error)
        }
    }

    private static func index(of name: String?, in entries: [Entry]) throws(APIError) -> Int {
        if let name {
            if let index = entries.firstIndex(where: { $0.card.isNamed(name) }) { return index }
            let names = entries.prefix(10).map { "'\($0.card.id)'" }.joined(separator: ", ")
            throw APIError(
                .notFound, "model '\(name)' not found: available models: \(names.isEmpty ? "none" : names)",
                param: "model",
                code: "model_not_found")
        }
        let here = entries.firstIndex { $0.card.remote == nil }
        guard let index = entries.firstIndex(where: { $0.model != nil }) ?? here ?? entries.indices.first else {
            throw APIError(.notFound, "this server has no models", param: "model", code: "model_not_found")
        }
        return index
    }

    /// A model with its present description, if it is loaded.
    private func loaded(_ card: ModelCard) -> (card: ModelCard, model: PooledModel)? {
        change(card) { entry in entry.model.map { (entry.card, $0) } } ?? nil
    }

    private func release(_ card: ModelCard) {
        change(card) { entry in
            entry.leases -= 1
            entry.lastUse = .now
        }
    }

    /// Changes a model's entry; `nil` if it is none of this pool's.
    @discardableResult
    private func change<Result: Sendable>(_ card: ModelCard, _ body: (inout Entry) -> Result) -> Result? {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.card.id == card.id }) else { return nil }
            return body(&entries[index])
        }
    }
}

extension ModelPool.Entry {
    fileprivate var condition: ModelPool.Condition {
        if let remote = card.remote { return remote.isDown ? .failed : .ready }
        if model != nil { return .ready }
        if loading != nil { return .loading }
        return failure.map { $0.until > .now } ?? false ? .failed : .absent
    }
}

// MARK: - Loading and unloading

extension ModelPool {
    /// Loads a model, after those that are being loaded.
    private func loading(_ card: ModelCard) -> Task<PooledModel, any Error> {
        Task { [self] in
            do {
                let model = try await loader.run {
                    let room = makeRoom(for: refreshed(card))
                    room.forEach { model in Task { await model.unload() } }
                    return try load(card)
                }
                finishLoading(card) { entry in
                    entry.model = model
                    // They fit, as the adapters are those that the server was started with.
                    if let scales = entry.adapterScales { try? model.written?.setAdapterScales(scales) }
                }
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

    /// The description of a model with the present size of its file.
    private func refreshed(_ card: ModelCard) -> ModelCard {
        change(card) { entry in
            entry.card.readFile()
            return entry.card
        } ?? card
    }

    private func finishLoading(_ card: ModelCard, _ finish: (inout Entry) -> Void) {
        change(card) { entry in
            entry.loading = nil
            entry.failure = nil
            entry.lastUse = .now
            finish(&entry)
        }
    }

    /// Removes idle models, the least recently used first, until another one fits.
    private func makeRoom(for card: ModelCard) -> [PooledModel] {
        guard let memory = limits.memory else { return [] }
        let (gone, bytes) = entries.withLock { entries in
            var gone: [PooledModel] = []
            while entries.loadedBytes + card.bytes > memory, let model = entries.takeIdlest() { gone.append(model) }
            return (gone, entries.loadedBytes + card.bytes)
        }
        // The limit decides what stays loaded. A model that is asked for is loaded in any case.
        if bytes > memory {
            logger.warning(
                "the loaded models exceed the memory limit",
                metadata: ["model": "\(card.id)", "bytes": "\(bytes)", "limit": "\(memory)"])
        }
        return gone
    }

    /// Unloads models whose idle time is up, and those that exceed the memory limit since they were in use together.
    func unloadIdle() async {
        let gone = entries.withLock { entries in
            var gone = entries.indices.compactMap { index -> PooledModel? in
                guard entries[index].leases == 0, let end = entries[index].end(limits), end < .now else { return nil }
                return entries[index].takeModel()
            }
            // One that exceeds it by itself stays.
            while entries.loadedBytes > limits.memory ?? .max, entries.count(where: { $0.model != nil }) > 1,
                let model = entries.takeIdlest()
            { gone.append(model) }
            return gone
        }
        for model in gone { await model.unload() }
    }

    /// Sets how long a model stays loaded while idle, until it is unloaded; negative means forever.
    func keep(_ card: ModelCard, for keepAlive: Duration) {
        change(card) { $0.keepAlive = keepAlive }
    }

    /// Sets the scales of a model's adapters, now and for when it is loaded again. Both change under one lock, so that of
    /// two changes at the same time one wins for good.
    ///
    /// - Parameter adapterScales: One for each adapter.
    func set(_ card: ModelCard, adapterScales: [Float]) {
        change(card) { entry in
            entry.adapterScales = adapterScales
            try? entry.model?.written?.setAdapterScales(adapterScales)
        }
    }

    /// How much longer a model stays loaded if it stays idle; `nil` means forever.
    func timeUntilUnload(of card: ModelCard) -> Duration? {
        entries.withLock { entries in
            entries.first { $0.card.id == card.id }?.end(limits).map { max(.zero, $0 - .now) }
        }
    }

    /// Unloads a model if it is idle.
    func unload(_ card: ModelCard) async {
        let model = change(card) { $0.leases == 0 ? $0.takeModel() : nil } ?? nil
        await model?.unload()
    }

    /// Unloads all.
    func unloadAll() async {
        let models = entries.withLock { entries in entries.indices.compactMap { entries[$0].takeModel() } }
        for model in models { await model.unload() }
    }
}

extension [ModelPool.Entry] {
    fileprivate var loadedBytes: Int { reduce(0) { $0 + ($1.model == nil ? 0 : $1.card.bytes) } }

    /// Takes out the least recently used of the idle models.
    fileprivate mutating func takeIdlest() -> PooledModel? {
        let idle = indices.filter { self[$0].model != nil && self[$0].leases == 0 }
        return idle.min { self[$0].lastUse < self[$1].lastUse }.flatMap { self[$0].takeModel() }
    }
}
