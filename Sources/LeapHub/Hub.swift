import Foundation
public import LeapHTTP

/// Models on this machine and where they come from.
///
///     let hub = Hub(configuration: try HubConfiguration())
///     let model = try await hub.download(ModelReference("LFM2-1.2B:Q4_K_M")) { progress in
///         print(progress.fraction)
///     }
public final class Hub: Sendable {
    /// Where models come from, where they go, and how.
    public let configuration: HubConfiguration
    /// The models on this machine.
    public let store: ModelStore
    let fetcher: Fetcher

    /// A hub.
    ///
    /// - Parameters:
    ///   - configuration: From an environment, or with values of a program's own.
    ///   - transport: Nil is the system's, with the configuration's proxies and certificates.
    public init(configuration: HubConfiguration, transport: (any Transport)? = nil) {
        self.configuration = configuration
        store = ModelStore(root: configuration.models)
        fetcher = Fetcher(
            transport: transport ?? SystemTransport(configuration: configuration.transport),
            configuration: configuration, known: KnownServers())
    }

    /// Finds a model's manifest and files, and their sizes and hashes where the servers tell them, without downloading.
    ///
    /// - Throws: ``HubError``, or `CancellationError`.
    public func resolve(_ reference: ModelReference) async throws -> (
        manifest: ResolvedManifest, location: ModelLocation
    ) {
        let resolution = try await resolution(reference)
        return (try await described(resolution.manifest), resolution.location)
    }

    /// A model that is here, whole; nil otherwise. A reference without a quantisation finds any, the usual ones first.
    ///
    /// - Throws: ``HubError`` for a folder that cannot be read.
    public func cached(_ reference: ModelReference) throws(HubError) -> StoredModel? {
        switch reference {
        case .named(_, quantization: nil), .repository(_, quantization: nil):
            let models = try store.models(named: ModelLocation(reference).model)
            let names = models.map(\.location.quantization.text)
            guard let chosen = Quantization.choice(of: names) else { return nil }
            return models.first { $0.location.quantization.text == chosen }
        default:
            return try store.model(at: store.location(of: reference))
        }
    }

    /// All models of the vendor's registry for an engine.
    ///
    /// - Throws: ``HubError``, or `CancellationError`.
    public func registryModels(inferenceEngine: String = "LLAMACPP") async throws -> [RegistryModel] {
        try await Registry(fetcher).models(inferenceEngine: inferenceEngine)
    }

    /// Ends everything that is under way, and closes the connections.
    public func shutdown() async { await fetcher.transport.shutdown() }
}

extension Hub {
    func resolution(_ reference: ModelReference) async throws -> Resolver.Resolution {
        try await Resolver(fetcher: fetcher).resolve(origin(of: reference))
    }

    /// The URL of the manifest that brought a model, where it is named as the store has it: no other source knows that name.
    /// Every other reference is what it is.
    private func origin(of reference: ModelReference) throws(HubError) -> ModelReference {
        let location = try store.location(of: reference)
        guard let text = try store.model(at: location)?.manifest.originalUrl, let url = URL(string: text),
            try ModelLocation(.manifest(url)) == location
        else { return reference }
        return .manifest(url)
    }

    /// A manifest completed with the file sizes and hashes that the servers report, where the manifest itself has none.
    func described(_ manifest: ResolvedManifest) async throws -> ResolvedManifest {
        if configuration.isOffline { return manifest }
        var result = manifest
        try await withThrowingTaskGroup(of: (Int, RemoteInfo).self) { group in
            for (index, file) in manifest.files.enumerated() where file.size == nil || file.sha256 == nil {
                group.addTask { (index, try await self.fetcher.info(file.url)) }
            }
            for try await (index, info) in group {
                result.files[index].size = info.size ?? result.files[index].size
                result.files[index].sha256 = info.sha256 ?? result.files[index].sha256
            }
        }
        return result
    }
}
