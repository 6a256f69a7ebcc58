import HTTPTypes
import LeapDigest
import LeapEngine
import Logging
import Synchronization

/// The state that all routes share: models, access, limits and metrics.
final class ServerCore: Sendable {
    let configuration: ServerConfiguration
    let pool: ModelPool
    let policy: AccessPolicy
    let admission: AdmissionControl
    let sessions: Sessions
    /// The requests in progress.
    let inFlight = InFlightWork()
    let metrics = Metrics()
    /// Where requests are read and prepared.
    let executors = RequestExecutors()
    /// The contents of model files' headers.
    let files: OllamaModels
    let logger: Logger
    /// The kernels.
    private let kernels: String
    private let node: String
    private let shuttingDown = Atomic<Bool>(false)
    private let draining = Atomic<Bool>(false)

    init(
        _ configuration: ServerConfiguration, _ pool: ModelPool, _ files: OllamaModels, _ policy: AccessPolicy,
        kernels: String, _ logger: Logger
    ) {
        self.configuration = configuration
        self.pool = pool
        self.files = files
        self.policy = policy
        self.logger = logger
        self.kernels = kernels
        node = configuration.node ?? Identifier.make("node-")
        sessions = Sessions(limit: configuration.sessionsPerClient)
        admission = AdmissionControl(
            AdmissionControl.Limits(
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
        if admission.waiting > 0 { inFlight.endWaiting(.draining) }
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
        var fields: HTTPFields = [.node: node, .queue: "\(admission.waiting)"]
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
        do throws(APIError) { return try await pool.lease(name) } catch {
            guard configuration.acceptsAnyModel, error.code == "model_not_found" else { throw error }
            return try await pool.lease(nil)
        }
    }

    /// Prepares a job: gets a slot for it, loads its model, and checks that it fits.
    func prepare(_ job: AnswerJob, for exchange: Exchange) async throws(APIError) -> AdmittedJob {
        let admission = try admit(exchange, answers: job.choices)
        let lease = try await lease(job.model)
        exchange.record.setModel(lease.card.id)
        let prepared = try PreparedJob(
            job, for: exchange.client, on: lease, isolatesCache: configuration.isolatesCaches)
        return AdmittedJob(prepared: prepared, admission: admission, core: self, exchange: exchange)
    }

    /// Registers answers in progress as long as the entry is held.
    func track(_ run: AnswerRun) -> InFlightWork.Entry {
        inFlight.add(.init(hasBegun: { run.feed.hasBegun }, end: { run.end($0) }))
    }

    /// Logs the types of tools in a request that only the dialect's own servers could run.
    func logSkippedTools(_ types: [String], of provider: String, _ exchange: Exchange) {
        guard !types.isEmpty else { return }
        logger.debug(
            "\(provider)'s server-side tools are ignored",
            metadata: ["id": "\(exchange.id)", "types": "\(types.joined(separator: ", "))"])
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

    /// A fingerprint of what answers depend on besides their requests: weights, the scales of adapters, kernels and the
    /// program's version.
    func fingerprint(_ card: ModelCard, adapterScales: [Float]?) -> String {
        let scales = adapterScales ?? []
        let parts = "\(card.id) \(card.bytes) \(card.created) \(scales) \(kernels) \(Engine.version)"
        return "fp_" + SHA256.hash(data: parts.utf8).prefix(6).hexadecimal
    }
}
