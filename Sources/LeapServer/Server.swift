#if Server
import Foundation
import HummingbirdCore
import LeapHTTP
import LeapBlocks
public import LeapEngine
import LeapGeneration
public import LeapOps
public import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Serves models over HTTP, by the APIs of OpenAI, Anthropic, ollama and llama-server.
///
/// Each loaded model has an engine of its own; all of them share threads and computing time.
public final class Server: Sendable {
    private let configuration: ServerConfiguration
    private let connectionLimits: ConnectionLimits
    let core: ServerCore
    private let listener = Mutex<(any ListenerControl)?>(nil)
    /// When requests are no longer accepted, once the shutdown has begun.
    private let drainStart = Mutex<ContinuousClock.Instant?>(nil)
    /// The action that stops the listener.
    private let stopping = Mutex<Task<Void, Never>?>(nil)
    private let certificates: Mutex<Certificates?> = Mutex(nil)

    /// Creates a server that is not listening yet.
    ///
    /// - Parameters:
    ///   - compute: The kernels and threads of all models.
    ///   - makeOptions: Makes the options for loading a model, from its path and the template that replaces its own.
    public convenience init(
        _ configuration: ServerConfiguration, compute: Compute, logger: Logger,
        makeOptions: @escaping @Sendable (_ path: String, _ template: String?) -> ModelOptions
    ) {
        self.init(
            configuration, compute: compute, limits: ConnectionLimits(), logger: logger, makeOptions: makeOptions)
    }

    init(
        _ configuration: ServerConfiguration, compute: Compute, limits: ConnectionLimits, logger: Logger,
        makeOptions: @escaping @Sendable (_ path: String, _ template: String?) -> ModelOptions
    ) {
        self.configuration = configuration
        connectionLimits = limits
        let transport = Self.transport(configuration)
        let cards = configuration.models.map { offer in
            var card =
                offer.remote.map { ModelCard(RemoteBackend(id: offer.id, $0, transport, logger)) }
                ?? ModelCard(id: offer.id, path: offer.path)
            (card.aliases, card.unlistedAliases) = (offer.aliases, offer.unlistedAliases)
            (card.chatTemplate, card.defaults) = (offer.chatTemplate, offer.defaults)
            return card
        }
        let time = SharedTime()
        let poolLimits = ModelPool.Limits(memory: configuration.maxMemory, keepAlive: configuration.keepAlive)
        let pool = ModelPool(cards, poolLimits, logger) { card in
            var options = makeOptions(card.path, card.chatTemplate)
            options.maxActive = configuration.parallel
            options.sharedTime = time
            // So that a short prompt gets its first token within a second, even during prefill of a long one.
            options.promptGap = .milliseconds(700)
            guard ModelKind(path: card.path) == .writer else {
                return .embedder(
                    try EmbeddingEngine.load(
                        path: card.path, usesMmap: options.usesMmap, catchesBusErrors: options.catchesBusErrors,
                        tokenLimit: options.contextSize, compute: compute))
            }
            return .writer(try Engine(options, compute: compute))
        }
        let files = OllamaModels { makeOptions($0.path, $0.chatTemplate).projectorPath }
        core = ServerCore(
            configuration, pool, files, Self.policy(configuration), kernels: compute.kernels.level.rawValue, logger)
    }

    /// The transport for requests to other servers, with as many connections as there are slots.
    private static func transport(_ configuration: ServerConfiguration) -> any Transport {
        let places = configuration.parallel + configuration.queue
        return configuration.transport ?? SystemTransport(configuration: .init(connectionsPerHost: places))
    }

    private static func policy(_ configuration: ServerConfiguration) -> AccessPolicy {
        var hosts: Set<String>?
        if case .tcp(let host, _) = configuration.address, ["127.0.0.1", "localhost", "::1"].contains(host) {
            hosts = Set(["localhost", "127.0.0.1", "[::1]", host]).union(configuration.allowedHosts)
        }
        return AccessPolicy(keys: configuration.keys, hosts: hosts, origins: configuration.corsOrigins)
    }

    /// Raises this process's limit of open connections to the maximum that the system permits, which is often above the
    /// initial limit.
    public static func raiseConnectionLimit() { OpenFiles.raiseLimit() }

    /// Loads the first model, so that the first request need not wait for it.
    ///
    /// - Throws: An error if it cannot be loaded.
    public func preload() async throws {
        guard let first = configuration.models.first(where: { $0.remote == nil }) else { return }
        do { _ = try await core.pool.lease(first.id) } catch {
            throw core.pool.loadFailure(first.id) ?? error
        }
    }

    /// Listens and answers until ``shutDown()``.
    ///
    /// - Parameter whenListening: Called with the address in the form that clients use.
    /// - Throws: ``ListeningError`` if the address is not available, an error of the system if a socket file cannot be replaced, or
    ///   ``CertificateError``.
    public func run(whenListening: @escaping @Sendable (String) -> Void) async throws {
        // The network library ends the process if it cannot open what an event loop needs.
        guard SystemResources.canOpen(files: 8) else { throw ListeningError.system(EMFILE) }
        if certificates.withLock({ $0 == nil }) { try readCertificates() }
        // One thread is enough: it only passes bytes between engines and clients.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let router = Router(core: core, table: RouteTable(routes: Routes.all(core)))
        let certificates = certificates.withLock(\.self)
        let connection = Connection(
            respond: { await router.respond($0) }, refusal: { router.refusal($0) }, limits: connectionLimits,
            budget: BodyBudget(connectionLimits.bodies), certificates: certificates)
        let housekeeping = Task { [core] in
            while true {
                try await Task.sleep(for: .seconds(1))
                await core.pool.unloadIdle()
                certificates?.reloadIfChanged()
            }
        }
        defer { housekeeping.cancel() }
        do {
            if let socket = configuration.socket {
                try await listen(on: socket, connection, group, whenListening)
            } else {
                try await listen(connection, group, whenListening)
            }
        } catch {
            try? await group.shutdownGracefully()
            throw ListeningError(error) ?? error
        }
        await core.pool.unloadAll()
        // The task that stops the listener needs the event loop, which ends next: wait for it.
        await stopping.withLock(\.self)?.value
        try await group.shutdownGracefully()
    }

    /// Listens on a socket that was handed over.
    private func listen(
        on socket: Int32, _ connection: Connection, _ group: MultiThreadedEventLoopGroup,
        _ whenListening: @Sendable (String) -> Void
    ) async throws {
        let inherited = try await InheritedListener(socket, connection, group, Self.silence)
        listener.withLock { $0 = inherited }
        try await ConnectionGate.add(to: inherited.channel, connectionLimits, core.logger)
        whenListening(
            configuration.address.text(port: inherited.localAddress?.port, isSecure: configuration.tls != nil))
        try await inherited.run()
    }

    /// Opens a socket and listens on it.
    private func listen(
        _ connection: Connection, _ group: MultiThreadedEventLoopGroup,
        _ whenListening: @escaping @Sendable (String) -> Void
    ) async throws {
        let address = configuration.address
        let isSecure = configuration.tls != nil
        let file = try SocketFile(address)
        defer { file?.remove() }
        let mask = address.isUnix ? umask(mode_t(~configuration.socketMode & 0o777)) : nil
        let server = HummingbirdCore.Server(
            childChannelSetup: connection, configuration: .init(address: address.bound, reuseAddress: true),
            onServerRunning: { [connectionLimits, core] channel in
                if let mask { umask(mask) }
                // Fails if the socket is already closed.
                try? await ConnectionGate.add(to: channel, connectionLimits, core.logger)
                whenListening(address.text(port: channel.localAddress?.port, isSecure: isSecure))
            },
            eventLoopGroup: group, logger: Self.silence)
        listener.withLock { $0 = server }
        do { try await server.run() } catch {
            if let mask { umask(mask) }
            throw error
        }
    }

    /// Silences the library: the core logs the same events.
    private static let silence = Logger(label: "leap.http") { _ in SwiftLogNoOpLogHandler() }

    /// Answers that are being generated or queued.
    var answersInFlight: Int { core.admission.count }

    /// Reads certificate and key, or reads them again, as it does by itself when their files have changed.
    ///
    /// - Throws: ``CertificateError`` if there is no earlier certificate to keep using.
    public func readCertificates() throws(CertificateError) {
        guard let files = configuration.tls else { return }
        if let known = certificates.withLock(\.self) { return known.reload() }
        let read = try Certificates(files, core.logger)
        certificates.withLock { $0 = read }
    }

    /// Shuts down gracefully: takes no more requests, waits until those under way are answered or the drain time is
    /// over, and tells the remaining clients that they get no answer. Meanwhile the server still listens, so that
    /// health checks and model lists report the shutdown. With a drain delay, new requests are still taken for that
    /// long, because balancers check the health only now and then.
    public func shutDown() async {
        core.beginShutdown()
        // The moment of the first call, if there are several.
        let draining = drainStart.withLock { start in
            let draining = start ?? .now + configuration.drainDelay
            start = draining
            return draining
        }
        // Ends early if the task is cancelled: then clients are not waited for.
        if draining > .now { try? await Task.sleep(until: draining) }
        core.drain()
        await waitForAnswers(configuration.drain)
        core.inFlight.endAll(.draining)
        await waitForAnswers(Self.closingTime)
        let server = listener.withLock(\.self)
        let task = stopping.withLock { stopping in
            let task = stopping ?? Task { await server?.stopListening() }
            stopping = task
            return task
        }
        await task.value
    }

    /// The time allowed for telling clients that there will be no answer.
    private static let closingTime = Duration.seconds(1)

    /// Waits until nothing is being answered, or for some time, or until the task is cancelled.
    private func waitForAnswers(_ time: Duration) async {
        let end = ContinuousClock.now + time
        while core.admission.count > 0, .now < end, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// The action that stops a listener of any kind of connection.
private protocol ListenerControl: Sendable {
    func stopListening() async
}

extension InheritedListener: ListenerControl {
    fileprivate func stopListening() async { stop() }
}

extension HummingbirdCore.Server: ListenerControl {
    fileprivate func stopListening() async {
        // An error here means that it has ended already.
        try? await shutdownGracefully()
    }
}

extension ServerConfiguration.Address {
    fileprivate var isUnix: Bool {
        if case .unix = self { true } else { false }
    }

    fileprivate var bound: BindAddress {
        switch self {
        case .tcp(let host, let port): .hostname(host, port: port)
        case .unix(let path): .unixDomainSocket(path: path)
        }
    }

    /// The address in the form that clients use.
    fileprivate func text(port bound: Int?, isSecure: Bool) -> String {
        switch self {
        case .tcp(let host, let port):
            "\(isSecure ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(bound ?? port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}
#endif
