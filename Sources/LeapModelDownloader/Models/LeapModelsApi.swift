import Foundation
import LeapHub
import LeapSDK

/// Lists the models in a registry.
public struct LeapModelsApi: Sendable {
    private let service: DownloadService

    /// Creates a client of the registry at a URL; `nil` for the vendor's.
    public init(baseUrl: String? = nil) {
        service = DownloadService(LeapDownloaderConfig(baseUrl: baseUrl))
    }

    /// Fetches the list of models for an inference engine.
    ///
    /// - Throws: ``ModelDownloadError``.
    public func fetchAvailableModels(inferenceEngine: String = "LLAMACPP") async throws -> [LeapApiModel] {
        try await ModelDownloadError.awaiting {
            try await service.hub.registryModels(inferenceEngine: inferenceEngine).map { LeapApiModel($0) }
        }
    }
}

/// A model in the vendor's registry.
public struct LeapApiModel: Hashable, Sendable {
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

    init(_ model: RegistryModel) {
        name = model.name
        modelSlug = model.modelSlug
        description = model.description
        quantizationSlugs = model.quantizationSlugs
        quantizationTypes = model.quantizationTypes
        organization = model.organization
        size = model.size
        platform = model.platform
    }
}
