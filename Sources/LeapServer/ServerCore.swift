import HTTPTypes
import LeapDigest
import LeapEngine
import LeapJSON
import Logging
import Synchronization

/// The state that all routes share: models, access, limits and metrics.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let shelf: ModelShelf
    let policy: AccessPolicy
    let turnstile: Turnstile
    let sessions: Sessions
    /// The requests in progress.
    let inFlight = InFlightWork()
    let metrics = Metrics()
    /// The contents of model files' headers.
    let files: OllamaModels
    let logger: Logger
    /// The kernels.
    private let kernels: String
    private let node: String
    private let shuttingDown = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)

    init(
        _ configuration: ServerConfiguration, _ shelf: ModelShelf, _ files: OllamaModels, _ policy: AccessPolicy,
        kernels: String, _ logger: Logger
    ) {
        self.configuration = configuration
        self.shelf = shelf
        self.files = files
        self.policy = policy
        self.logger = logger
        self.kernels = kernels
        node = configuration.node ?? Identifier.make("node-")
        sessions = Sessions(limit: configuration.sessionsPerClient)
        turnstile = Turnstile(
            Turnstile.Limits(
                maxActive: configuration.parallel, maxQueued: configuration.queue,
                maxPerClient: configuration.perClient ?? (configuration.keys.isEmpty ? .max : 24)))
    }

    /// Whether the server is about to shut down, so that balancers should use others.
    var isShuttingDown: Bool { shuttingDown.load(ordering: .relaxed) }

    /// Makes health checks report that the server is shutting down.
    func beginShutdown() { shuttingDown.store(true, ordering: .relaxed) }

    /// Rejects new and queued requests.
    func drain() {
        draining.store(true, ordering: .relaxed)
        if turnstile.waiting > 0 { inFlight.endWaiting(.draining) }
    }

    /// Whether new requests are rejected.
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Whether models of other servers are offered.
    var hasRemotes: Bool { configuration.models.contains { $0.remote != nil } }

    /// Checks that requests are accepted.
    func refuseWhileDraining() throws(APIError) {
        guard isDraining else { return }
        throw .draining
    }

    /// Header fields for balancers: which node answers, how many answers wait there, and how many tokens of the prompt
    /// were cached, if that is known before the reply begins.
    func balancerFields(_ exchange: Exchange) -> HTTPFields {
        var fields: HTTPFields = [.node: node, .queue: "\(turnstile.waiting)"]
        if let tokens = exchange.record.cachedTokens { fields[.cachedTokens] = "\(tokens)" }
        return fields
    }

    /// Counts a refused request, and logs it if the server is to blame.
    func recordFailure(_ error: APIError, _ exchange: Exchange) {
        switch error.kind {
        case .overloaded, .rateLimited: metrics.add(to: .refusals)
        case .failed:
            logger.error(
                "a request failed",
                metadata: [
                    "id": "\(exchange.id)", "path": "\(exchange.path)", "error": "\(error.cause ?? error.message)",
                ])
        default: break
        }
    }

    /// Leases a model by the name in a request.
    func lease(_ name: String?) async throws(APIError) -> ModelLease {
        try refuseWhileDraining()
        do throws(APIError) { return try await shelf.lease(name) } catch {
            guard configuration.acceptsAnyModel, error.code == "model_not_found" else { throw error }
            return try await shelf.lease(nil)
        }
    }

    /// Prepares an order: gets a slot for it, loads its model, and checks that it fits.
    func prepare(_ order: AnswerOrder, for exchange: Exchange) async throws(APIError) -> AdmittedOrder {
        let admission = try admit(exchange, answers: order.choices)
        let lease = try await lease(order.model)
        exchange.record.setModel(lease.card.id)
        let prepared = try PreparedOrder(
            order, for: exchange.client, on: lease, isolatesCache: configuration.isolatesCaches)
        return AdmittedOrder(prepared: prepared, admission: admission, core: self, exchange: exchange)
    }

    /// Registers answers in progress as long as the entry is held.
    fileprivate func track(_ run: AnswerRun) -> InFlightWork.Entry {
        inFlight.add(.init(hasBegun: { run.feed.hasBegun }, end: { run.end($0) }))
    }

    /// Runs work that is cancelled when the server ends.
    ///
    /// - Throws: What the work throws, or that the server is shutting down.
    func untilEnd<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task {
            let value = try await work()
            // A cancelled result may look complete.
            try Task.checkCancellation()
            return value
        }
        let entry = inFlight.add(.init(hasBegun: { true }, end: { _ in task.cancel() }))
        defer { withExtendedLifetime(entry) {} }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch { throw inFlight.error ?? error }
    }

    /// A fingerprint of what answers depend on besides their requests: weights, kernels and the program's version.
    func fingerprint(_ card: ModelCard) -> String {
        let parts = "\(card.id) \(card.bytes) \(card.created) \(kernels) \(Engine.version)"
        return "fp_"
            + SHA256.hash(data: parts.utf8).prefix(6).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }
}

/// An order that is about to be answered.
struct AdmittedOrder: Sendable {
    let prepared: PreparedOrder
    /// The order that follows it in the same stream.
    var others: [AdmittedOrder] = []
    fileprivate let admission: Admission
    fileprivate let core: ServerCore
    fileprivate let exchange: Exchange

    /// The model's name.
    var card: ModelCard { prepared.lease.card }
    private var metrics: Metrics { core.metrics }

    /// All answers, counted and logged. Cancelling the task ends them.
    func answers() async throws(APIError) -> [FinishedAnswer] {
        let answers = try await unrecordedAnswers()
        answers.forEach(metrics.observe)
        exchange.record.add(answers)
        return answers
    }

    /// The same for auxiliary requests, which are not counted or logged.
    func unrecordedAnswers() async throws(APIError) -> [FinishedAnswer] {
        defer { withExtendedLifetime(admission) {} }
        let run = AnswerRun([prepared], metrics.heldAnswers)
        let entry = core.track(run)
        defer { withExtendedLifetime(entry) {} }
        exchange.endsWithClient()
        let answers = try await run.all()
        guard !run.isCancelled else {
            metrics.add(to: .cancellations)
            throw Self.clientIsGone
        }
        return answers
    }

    private static let clientIsGone = APIError(
        .invalid, "the client disconnected before the answer was complete")

    /// Streams answers.
    ///
    /// - Parameter idle: Bytes that clients ignore in this kind of stream, sent as keep-alive while there is nothing else.
    func stream(type: String, idle: [UInt8]?, _ writer: some AnswerWriter) -> Reply {
        .stream(type: type, Self.streamFields, idle: idle) { sink in
            var writer = writer
            let beginning = writer.begin()
            try await send(beginning, writer, of: begin(), to: sink)
        }
    }

    /// Streams answers in a format that has nothing between their bytes, neither failures nor keep-alives. The reply begins
    /// with the first bytes, so that what fails before them has a status; what fails later breaks the reply off.
    ///
    /// - Throws: Why there are no bytes.
    func streamOnceBegun(type: String, _ writer: some AnswerWriter) async throws -> Reply {
        let answers = begin()
        exchange.endsWithClient()
        var writer = writer
        var beginning = writer.begin()
        do {
            try await withTaskCancellationHandler {
                while beginning.isEmpty, let items = await answers.run.feed.next() {
                    beginning += try bytes(of: items, &writer)
                }
            } onCancel: {
                answers.run.cancel()
            }
            try Task.checkCancellation()
        } catch {
            guard Task.isCancelled else { throw error }
            metrics.add(to: .cancellations)
            throw Self.clientIsGone
        }
        return .stream(type: type, Self.streamFields) { [beginning, writer] sink in
            try await send(beginning, writer, of: answers, to: sink)
        }
    }

    private static let streamFields: HTTPFields = [.cacheControl: "no-cache", .accelBuffering: "no"]

    /// Begins to generate.
    private func begin() -> RunningAnswers {
        let run = AnswerRun([prepared] + others.map(\.prepared), metrics.heldAnswers)
        return RunningAnswers(run, core.track(run))
    }

    /// Sends what was written already, and then the rest of the answers.
    private func send(
        _ beginning: [UInt8], _ writer: some AnswerWriter, of answers: RunningAnswers, to sink: any ReplySink
    ) async throws {
        defer { withExtendedLifetime((self, answers)) {} }
        let run = answers.run
        let pings = Task {
            while true {
                try await Task.sleep(for: .seconds(15))
                run.feed.put(.ping)
            }
        }
        defer { pings.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await sink.write(beginning)
                try await write(run, writer, to: sink)
            } onCancel: {
                run.cancel()
            }
        } catch {
            run.cancel()
            if let failure = error as? APIError {
                core.recordFailure(failure, exchange)
            } else {
                metrics.add(to: .cancellations)
            }
            throw error
        }
    }

    private func record(_ answer: FinishedAnswer, choice: Int) {
        metrics.observe(answer)
        exchange.record.add(answer, toPrompt: choice / max(1, prepared.order.choices))
    }

    private func write(_ run: AnswerRun, _ writer: some AnswerWriter, to sink: any ReplySink) async throws {
        var writer = writer
        while let items = await run.feed.next() {
            try Task.checkCancellation()
            let bytes = try bytes(of: items, &writer)
            if !bytes.isEmpty { try await sink.write(bytes) }
        }
        let end = writer.end()
        if !end.isEmpty { try await sink.write(end) }
    }

    /// What clients get for pieces, which are counted and logged unless the writer throws.
    private func bytes(
        of items: [AnswerFeed.Item], _ writer: inout some AnswerWriter
    ) throws(APIError) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items {
            if case .finished(let answer) = item.piece { record(answer, choice: item.choice) }
            bytes += try writer.write(item)
            if case .failed(let error) = item.piece { core.recordFailure(error, exchange) }
        }
        return bytes
    }
}

/// Answers that are being generated. They end when nothing refers to them any more, as when a client is gone before the
/// head of its reply is sent.
private final class RunningAnswers: Sendable {
    let run: AnswerRun
    private let entry: InFlightWork.Entry

    init(_ run: AnswerRun, _ entry: InFlightWork.Entry) {
        (self.run, self.entry) = (run, entry)
    }

    deinit { run.cancel() }
}

/// Streams an answer in a dialect's format.
protocol AnswerWriter: Sendable {
    /// The beginning of the reply.
    mutating func begin() -> [UInt8]
    /// The encoding of a piece; empty for pieces that the dialect does not report.
    ///
    /// - Throws: A failure that the dialect cannot report, so that the reply must not look complete.
    mutating func write(_ item: AnswerFeed.Item) throws(APIError) -> [UInt8]
    /// The end of the reply.
    mutating func end() -> [UInt8]
}

extension ChatCompletionStream: AnswerWriter {}
