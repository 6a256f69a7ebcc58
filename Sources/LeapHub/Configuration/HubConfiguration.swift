public import Foundation
public import LeapHTTP

/// The configuration of a hub: sources, storage and transfers.
public struct HubConfiguration: Sendable {
    /// The folder for all models.
    public var models: URL
    /// The URL of the registry of manifests.
    public var registry: URL
    /// The URL of Hugging Face, or of a server with the same API.
    public var huggingFace: URL
    /// The access token for ``huggingFace``, which is sent to no other server.
    public var token: String?
    /// The folder of Hugging Face's own cache, which is read but never written; `nil` for none.
    public var huggingFaceCache: URL?
    /// Whether to work without the network.
    public var isOffline = false
    /// Whether to verify the SHA-256 of files, if it is known.
    public var validatesSHA256 = true
    /// The supported model architectures; `nil` for any. The download of a model with another architecture is abandoned
    /// after its first bytes, unless it is forced.
    public var supportedArchitectures: [String]?
    /// The timeouts of requests. During the idle timeout, data must arrive at ``minimumRate`` or faster.
    public var timeouts = TransportTimeouts.standard
    /// The minimum rate in bytes per second, averaged over the idle timeout; a slower transfer counts as stalled.
    public var minimumRate: Int64 = 256
    /// The rules for retries.
    public var retries = RetryPolicy()
    /// The maximum number of files transferred at the same time.
    public var parallelFiles = 4
    /// The user agent of requests.
    public var userAgent = "leap-swift"
    /// The proxies and certificates of the transport.
    public var transport = TransportConfiguration()
    /// What keeps the process running during a transfer. Tests replace it.
    package var activity = ProcessActivity.system
    /// Returns the free space for files in a folder, in bytes; `nil` if unknown. Tests replace it.
    package var availableSpace: @Sendable (URL) -> Int64? = { DiskSpace.available(at: $0) }

    /// The URL of the vendor's registry.
    public static let defaultRegistry = URL(string: "https://leap.liquid.ai") ?? URL(filePath: "/")
    /// The URL of Hugging Face.
    public static let defaultHuggingFace = URL(string: "https://huggingface.co") ?? URL(filePath: "/")
    /// The name of the folder for models within the cache folder.
    public static let modelsFolder = "leap_models"

    /// Creates a configuration that does not depend on the environment.
    public init(
        models: URL, registry: URL = defaultRegistry, huggingFace: URL = defaultHuggingFace, token: String? = nil
    ) {
        self.models = models
        self.registry = registry
        self.huggingFace = huggingFace
        self.token = token
    }
}

extension HubConfiguration {
    /// The URL policy: servers configured by the user may use http and may refer to each other.
    var policy: URLPolicy { URLPolicy(trusted: [registry, huggingFace]) }

    /// Returns the token if a URL is on the server that it belongs to.
    func token(for url: URL) -> String? {
        guard let token, !token.isEmpty, let origin = Origin(url), origin == Origin(huggingFace),
            origin.scheme == "https" || origin.isLoopback
        else { return nil }
        return token
    }
}
