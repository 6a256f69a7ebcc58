import Foundation
import LeapHub
import LeapSDK

/// The list of the vendor's registry.
public struct LeapModelsApi: Sendable {
    private let service: DownloadService

    /// A registry; nil for the vendor's.
    public init(baseUrl: String? = nil) {
        service = DownloadService(LeapDownloaderConfig(baseUrl: baseUrl))
    }

    /// The models for an engine.
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
    /// The name for people.
    public let name: String
    /// The name for downloads.
    public let modelSlug: String
    /// What it is for.
    public let description: String?
    /// The quantisations for downloads.
    public let quantizationSlugs: [String]
    /// The quantisations for people.
    public let quantizationTypes: [String]
    /// Who made it.
    public let organization: String?
    /// How large it is, in the registry's words.
    public let size: String?
    /// For which systems.
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
