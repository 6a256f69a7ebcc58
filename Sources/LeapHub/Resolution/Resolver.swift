import Foundation
import LeapHTTP
import LeapJSON

/// Finds the manifest of a model reference.
///
/// A model's name is looked up in the vendor's registry, then among the vendor's manifests on Hugging Face
/// (`LeapBundles`), then in the model's own repository, which may contain manifests too; if it has none, one is created
/// from the names of its files.
struct Resolver {
    let fetcher: Fetcher

    /// A manifest, and the location of its model.
    struct Resolution {
        var manifest: ResolvedManifest
        let location: ModelLocation
    }

    private var configuration: HubConfiguration { fetcher.configuration }
    private static let owner = "LiquidAI"

    /// - Throws: ``HubError`` or `CancellationError`.
    func resolve(_ reference: ModelReference) async throws -> Resolution {
        if configuration.isOffline, let repository = Self.repository(of: reference) {
            let local = LocalResolver(configuration: configuration)
            guard let found = try local.manifest(ofRepository: repository.name, repository.quantization) else {
                throw local.error(for: reference)
            }
            let location = try ModelLocation(reference, quantization: found.quantization)
            return Resolution(manifest: found.manifest, location: location)
        }
        switch reference {
        case .manifest(let url):
            return Resolution(manifest: try await manifest(at: url), location: try ModelLocation(reference))
        case .repository(let name, let quantization):
            return try await repository(name, quantization, reference)
        case .named(let name, let quantization):
            return try await named(name, quantization, reference)
        }
    }

    /// Returns the repository of a model; for a name, one of the vendor's.
    private static func repository(of reference: ModelReference) -> (name: String, quantization: String?)? {
        switch reference {
        case .named(let name, let quantization): ("\(owner)/\(name)-GGUF", quantization)
        case .repository(let name, let quantization): (name, quantization)
        case .manifest: nil
        }
    }

    /// Reads a manifest; from a file only if the user specified it.
    private func manifest(at url: URL) async throws -> ResolvedManifest {
        if url.isFileURL {
            guard let bytes = try OpenFile.contents(of: url) else {
                let limit = Int64(ModelManifest.maximumSize).asBytes
                throw HubError.file(url.path, "read the manifest", "it does not exist or is larger than \(limit)")
            }
            return try ResolvedManifest(ModelManifest(bytes, source: url.path), from: url, policy: configuration.policy)
        }
        let bytes = try await fetcher.document(url)
        // Relative references are resolved against the requested URL, not against the target of a redirect.
        return try ResolvedManifest(
            ModelManifest(bytes, source: url.withoutSecrets), from: url, policy: configuration.policy)
    }

    // MARK: Repositories

    private func repository(
        _ name: String, _ quantization: String?, _ reference: ModelReference
    ) async throws -> Resolution {
        let repository: HuggingFaceRepository
        do {
            repository = try await HuggingFaceRepository.list(name, by: fetcher)
        } catch HubError.accessDenied(_, 401, _) {
            // Without an account, repositories that do not exist get the same status.
            throw HubError.accessDenied(
                configuration.huggingFace.appending(path: name).withoutSecrets, status: 401,
                "the repository does not exist or is private")
        }
        guard let found = try await manifest(in: repository, quantization) else {
            guard let quantization, !repository.quantizations.isEmpty else {
                throw HubError.unexpectedContent(
                    repository.url.withoutSecrets, expected: "a repository with GGUF files", found: "one without")
            }
            throw HubError.unknownQuantization(
                quantization, model: name, available: repository.quantizations.nearest(to: quantization))
        }
        return Resolution(
            manifest: found.0, location: try ModelLocation(reference, quantization: found.1))
    }

    /// Returns the repository's own manifest, otherwise one created from its files.
    private func manifest(
        in repository: HuggingFaceRepository, _ quantization: String?
    ) async throws -> (ResolvedManifest, String?)? {
        let chosen = quantization.map(Quantization.canonical) ?? Quantization.choice(of: repository.quantizations)
        if let chosen, let entry = repository.entries.first(where: { $0.path == "leap/\(chosen).json" }) {
            var resolved = try await manifest(at: repository.url(of: entry.path))
            resolved.describe(by: repository)
            return (resolved, chosen)
        }
        return try repository.manifest(quantization: quantization, policy: configuration.policy)
    }

    // MARK: Names

    private func named(_ name: String, _ quantization: String?, _ reference: ModelReference) async throws -> Resolution
    {
        var problems: [String] = []
        var catalogue = Catalogue()
        if let quantization {
            let wanted = Quantization.canonical(quantization)
            for source in [registered, bundled] {
                if let found = try await attempt(&problems, { try await source(name, wanted) }) {
                    return Resolution(manifest: found, location: try ModelLocation(reference))
                }
            }
        }
        let repository = "\(Self.owner)/\(name)-GGUF"
        if let listed = try await attempt(&problems, { try await HuggingFaceRepository.list(repository, by: fetcher) })
        {
            catalogue.add(name, listed.quantizations)
            if let (found, chosen) = try await manifest(in: listed, quantization) {
                return Resolution(manifest: found, location: try ModelLocation(reference, quantization: chosen))
            }
        }
        try await complete(&catalogue, &problems)
        if let known = catalogue.name(like: name), let choices = catalogue.models[known] {
            // The catalogue knows the name in other letters, or the quantisation that was left open.
            let next = quantization ?? Quantization.choice(of: choices)
            if let next, choices.contains(Quantization.canonical(next)), known != name || quantization == nil {
                return try await named(known, next, .named(known, quantization: next))
            }
        }
        if catalogue.models.isEmpty, !problems.isEmpty { throw HubError.unresolved("\(reference)", problems) }
        throw catalogue.error(for: name, quantization: quantization)
    }

    private func registered(_ name: String, _ quantization: String) async throws -> ResolvedManifest {
        try await manifest(at: Registry(fetcher).manifest(of: name, quantization: quantization))
    }

    private func bundled(_ name: String, _ quantization: String) async throws -> ResolvedManifest {
        let path = "\(Self.owner)/LeapBundles/resolve/main/\(name)-GGUF/\(quantization).json"
        return try await manifest(at: configuration.huggingFace.appending(path: path))
    }

    /// Completes the list of available models as far as possible.
    private func complete(_ catalogue: inout Catalogue, _ problems: inout [String]) async throws {
        let bundles = try await attempt(&problems) {
            try await HuggingFaceRepository.list("\(Self.owner)/LeapBundles", by: fetcher)
        }
        if let bundles { catalogue.add(bundles: bundles) }
        let registered = try await attempt(&problems) {
            try await Registry(fetcher).models(inferenceEngine: "LLAMACPP")
        }
        for model in registered ?? [] { catalogue.add(model.modelSlug, model.quantizationSlugs) }
    }

    /// Asks one of several sources: `nil` if it has nothing or cannot be reached, which is recorded.
    private func attempt<Value>(_ problems: inout [String], _ body: () async throws -> Value) async throws -> Value? {
        do {
            return try await body()
        } catch HubError.notFound {
            return nil
        } catch let error as HubError {
            switch error {
            case .network, .status, .accessDenied, .unexpectedContent, .stalled:
                // An unreachable server is a single problem, however many requests it failed.
                if !problems.contains(error.problem) { problems.append(error.problem) }
                return nil
            default: throw error
            }
        }
    }
}

extension HubError {
    /// The text of the error in a list of several. Errors of absent servers do not mention the requested document.
    fileprivate var problem: String {
        switch self {
        case .network(.hostNotFound(let url, let host, _)) where !host.isEmpty: return text(without: url)
        case .network(.notBuilt(let url)), .network(.proxyFailed(let url, _)): return text(without: url)
        case .network(.connectionRefused(let url)):
            let server = URL(string: url).flatMap { URL(string: "/", relativeTo: $0)?.absoluteString }
            return "\(TransportError.connectionRefused(server ?? url))"
        default: return "\(self)"
        }
    }

    private func text(without url: String) -> String {
        let text = "\(self)"
        return text.hasPrefix(url + ": ") ? String(text.dropFirst(url.count + 2)) : text
    }
}
