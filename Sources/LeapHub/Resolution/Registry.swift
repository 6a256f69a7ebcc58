import LeapJSON
import Foundation
import LeapHTTP

/// A model in the vendor's registry.
public struct RegistryModel: Hashable, Sendable {
    /// The display name.
    public let name: String
    /// The name to use in downloads.
    public let modelSlug: String
    /// The description.
    public let description: String?
    /// The names of the quantisations to use in downloads.
    public let quantizationSlugs: [String]
    /// The display names of the quantisations.
    public let quantizationTypes: [String]
    /// The organisation that published it.
    public let organization: String?
    /// The size, as the registry states it.
    public let size: String?
    /// The supported platforms.
    public let platform: String?

    init?(_ json: JSONValue) {
        guard let slug = json["model_slug"]?.string ?? json["name"]?.string else { return nil }
        func names(_ key: String) -> [String] { json[key]?.array?.compactMap(\.string) ?? [] }
        modelSlug = slug
        name = json["name"]?.string ?? slug
        description = json["description"]?.string
        quantizationSlugs = names("quantization_slugs")
        quantizationTypes = names("quantization_types")
        organization = json["organization"]?.string
        size = json["size"]?.string ?? json["size"]?.int64.map { "\($0)" }
        platform = json["platform"]?.string
    }
}

/// The vendor's registry of manifests.
struct Registry {
    let fetcher: Fetcher

    /// The registry is asked once and not for long: it is only the first of several sources.
    init(_ fetcher: Fetcher) {
        var configuration = fetcher.configuration
        configuration.retries.attempts = 1
        configuration.timeouts.connect = min(configuration.timeouts.connect ?? .seconds(10), .seconds(10))
        self.fetcher = Fetcher(transport: fetcher.transport, configuration: configuration, known: fetcher.known)
    }

    /// Where the manifest of a model is.
    func manifest(of model: String, quantization: String) async throws -> URL {
        let url = fetcher.configuration.registry.appending(path: "api/edge-sdk/model-manifest").appending(queryItems: [
            .init(name: "model_name", value: model), .init(name: "quantization_method", value: quantization),
        ])
        let bytes = try await fetcher.document(url)
        let name = url.withoutSecrets
        guard let text = try JSONValue(bytes, source: name)["manifest_url"]?.string,
            let target = URL(string: text, relativeTo: url)?.absoluteURL
        else { throw HubError.unexpectedContent(name, expected: "a 'manifest_url'", found: "other JSON") }
        if let objection = fetcher.configuration.policy.objection(to: target, from: url) {
            throw HubError.redirectRefused(name, to: target.withoutSecrets, objection)
        }
        return target
    }

    /// All models for an engine.
    func models(inferenceEngine: String) async throws -> [RegistryModel] {
        let url = fetcher.configuration.registry.appending(path: "api/models")
            .appending(queryItems: [.init(name: "inference_engine", value: inferenceEngine)])
        let bytes = try await fetcher.document(url)
        guard let models = try JSONValue(bytes, source: url.withoutSecrets)["models"]?.array else {
            throw HubError.unexpectedContent(url.withoutSecrets, expected: "a list of models", found: "other JSON")
        }
        return models.compactMap { RegistryModel($0) }
    }
}
