public import Foundation
public import LeapHTTP

/// Where models come from, where they go, and how.
public struct HubConfiguration: Sendable {
    /// The folder of all models.
    public var models: URL
    /// The vendor's registry of manifests.
    public var registry: URL
    /// Hugging Face, or a server with the same interface.
    public var huggingFace: URL
    /// An account's token for ``huggingFace``; sent to no other server.
    public var token: String?
    /// Hugging Face's own cache, which is read and never written; nil for none.
    public var huggingFaceCache: URL?
    /// Whether nothing may be asked of the network.
    public var isOffline = false
    /// Whether a file's SHA-256 is compared, where it is known.
    public var validatesSHA256 = true
    /// The architectures that can be run: a model of another one is left at its first bytes, unless it is forced. Nil for
    /// any.
    public var supportedArchitectures: [String]?
    /// How long to wait. Within the idle time at least ``minimumRate`` must arrive.
    public var timeouts = TransportTimeouts.standard
    /// The least bytes per second over the idle time; less is a stall.
    public var minimumRate: Int64 = 256
    /// How often and when something is tried again.
    public var retries = RetryPolicy()
    /// The most files that are transferred at a time.
    public var parallelFiles = 4
    /// What the hub calls itself.
    public var userAgent = "leap-swift"
    /// Proxies and certificates, for the transport.
    public var transport = TransportConfiguration()
    /// The bytes that are free for a folder's files; nil if that is not known. Tests replace it.
    package var availableSpace: @Sendable (URL) -> Int64? = { DiskSpace.available(at: $0) }

    /// The vendor's registry.
    public static let defaultRegistry = URL(string: "https://leap.liquid.ai") ?? URL(filePath: "/")
    /// Hugging Face.
    public static let defaultHuggingFace = URL(string: "https://huggingface.co") ?? URL(filePath: "/")
    /// The name of the folder of models in the root of all caches.
    public static let modelsFolder = "leap_models"

    /// A configuration that knows nothing of an environment.
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
    /// The servers that the user chose may be asked by http and may refer to each other.
    var policy: URLPolicy { URLPolicy(trusted: [registry, huggingFace]) }

    /// The token, if a URL is on the server that it belongs to.
    func token(for url: URL) -> String? {
        guard let token, !token.isEmpty, let origin = Origin(url), origin == Origin(huggingFace),
            origin.scheme == "https" || origin.isLoopback
        else { return nil }
        return token
    }
}
