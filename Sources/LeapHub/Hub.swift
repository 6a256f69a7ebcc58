import Foundation
public import LeapHTTP

/// The models on this machine, and the servers that they are downloaded from.
///
///     let hub = Hub(configuration: try HubConfiguration())
///     let model = try await hub.download(ModelReference("LFM2-1.2B:Q4_K_M")) { progress in
///         print(progress.fraction)
///     }
public final class Hub: Sendable {
    /// The configuration of sources, storage and transfers.
    public let configuration: HubConfiguration
    /// The models on this machine.
    public let store: ModelStore
    let fetcher: Fetcher

    /// Creates a hub.
    ///
    /// - Parameters:
    ///   - configuration: The configuration, from the environment or with custom values.
    ///   - transport: The transport; `nil` for the system's, with the proxies and certificates of the configuration.
    public init(configuration: HubConfiguration, transport: (any Transport)? = nil) {
        self.configuration = configuration
        store = ModelStore(root: configuration.models)
        fetcher = Fetcher(
            transport: transport ?? SystemTransport(configuration: configuration.transport),
            configuration: configuration, known: KnownServers())
    }

    /// Finds a model's manifest and files without downloading them, with sizes and hashes as far as the servers report
    /// them.
    ///
    /// - Throws: ``HubError`` or `CancellationError`.
    public func resolve(_ reference: ModelReference) async throws -> (
        manifest: ResolvedManifest, location: ModelLocation
    ) {
        let resolution = try await resolution(reference)
        return (try await described(resolution.manifest), resolution.location)
    }

    /// Returns a model that is completely on this machine; `nil` otherwise. A reference without a quantisation matches
    /// any, the common ones first.
    ///
    /// - Throws: ``HubError`` if a folder cannot be read.
    public func cached(_ reference: ModelReference) throws(HubError) -> StoredModel? {
        switch reference {
        case .named(_, quantization: nil), .repository(_, quantization: nil):
            let models = try store.models(named: store.location(of: reference).model)
            let names = models.map(\.location.quantization.text)
            guard let chosen = Quantization.choice(of: names) else { return nil }
            return models.first { $0.location.quantization.text == chosen }
        default:
            return try store.model(at: store.location(of: reference))
        }
    }

    /// Fetches the list of models in the vendor's registry for an inference engine.
    ///
    /// - Throws: ``HubError`` or `CancellationError`.
    public func registryModels(inferenceEngine: String = "LLAMACPP") async throws -> [RegistryModel] {
        try await Registry(fetcher).models(inferenceEngine: inferenceEngine)
    }

    /// Cancels all running transfers and closes all connections.
    public func shutdown() async { await fetcher.transport.shutdown() }
}

extension Hub {
    func resolution(_ reference: ModelReference) async throws -> Resolver.Resolution {
        try await Resolver(fetcher: fetcher).resolve(origin(of: reference))
    }

    /// Returns the URL of the manifest from which a stored model was downloaded if it is referred to by its name in the
    /// store, which no other source knows, whatever has become of its files. Other references are returned unchanged.
    private func origin(of reference: ModelReference) throws(HubError) -> ModelReference {
        if case .manifest = reference { return reference }
        let location = try store.location(of: reference)
        guard let text = try store.manifest(at: location)?.originalUrl, let url = URL(string: text) else {
            return reference
        }
        let origin = try ModelLocation(.manifest(url))
        if origin == location { return .manifest(url) }
        guard origin.isSame(exceptForQuery: location) else { return reference }
        throw .unresolved(
            "\(reference)",
            ["it came from \(url.withoutSecrets)?…, whose query is not stored, as it may be secret: give the whole URL"]
        )
    }

    /// Returns a manifest completed with file sizes and hashes reported by the servers, where the manifest itself has
    /// none.
    func described(_ manifest: ResolvedManifest) async throws -> ResolvedManifest {
        if configuration.isOffline { return manifest }
        var result = manifest
        try await withThrowingTaskGroup(of: (Int, RemoteInfo).self) { group in
            for (index, file) in manifest.files.enumerated()
            where !file.isLocal && (file.size == nil || file.sha256 == nil) {
                group.addTask { (index, try await self.fetcher.info(file.url)) }
            }
            for try await (index, info) in group {
                result.files[index].add(info)
            }
        }
        return result
    }
}

extension RemoteFile {
    /// Adds what a server reports; an estimate only if nothing better is known.
    fileprivate mutating func add(_ info: RemoteInfo) {
        sha256 = info.sha256 ?? sha256
        if let exact = info.size {
            (size, isSizeEstimated) = (exact, false)
        } else if size == nil {
            (size, isSizeEstimated) = (info.estimate, info.estimate != nil)
        }
    }
}
