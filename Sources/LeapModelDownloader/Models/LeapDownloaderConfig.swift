import Foundation
import LeapHTTP
import LeapHub
import LeapSDK

/// Where downloads go, and how they are done.
public struct LeapDownloaderConfig: Hashable, Sendable {
    /// The folder of all models. A relative path is below the root of all caches: `LEAP_CACHE`, else
    /// `XDG_CACHE_HOME/leap` or `~/.cache/leap`; on Apple's systems Application Support.
    public var saveDir: String
    /// Whether a file's SHA-256 is compared, where a server tells it.
    public var validateSha256: Bool
    /// Whether any certificate is accepted, for tests against a server of one's own.
    public var disableSslValidation: Bool
    /// The registry of manifests; nil for the vendor's.
    public var baseUrl: String?
    /// How long connecting may take, in milliseconds.
    public var connectTimeoutMillis: Int64
    /// How long no byte may arrive, in milliseconds.
    public var socketTimeoutMillis: Int64
    /// Accepted. A model takes as long as it takes; ``socketTimeoutMillis`` notices a server that fell asleep.
    public var requestTimeoutMillis: Int64

    /// A configuration; what is left out is as in the LEAP SDK.
    public init(
        saveDir: String = "leap_models", validateSha256: Bool = true, disableSslValidation: Bool = false,
        baseUrl: String? = nil, connectTimeoutMillis: Int64 = 30_000, socketTimeoutMillis: Int64 = 60_000,
        requestTimeoutMillis: Int64 = 600_000
    ) {
        self.saveDir = saveDir
        self.validateSha256 = validateSha256
        self.disableSslValidation = disableSslValidation
        self.baseUrl = baseUrl
        self.connectTimeoutMillis = connectTimeoutMillis
        self.socketTimeoutMillis = socketTimeoutMillis
        self.requestTimeoutMillis = requestTimeoutMillis
    }

    /// Same as the initialiser; the spelling of versions 0.10.9 and later.
    public static func with(
        saveDir: String = "leap_models", validateSha256: Bool = true, disableSslValidation: Bool = false,
        baseUrl: String? = nil, connectTimeoutMillis: Int64 = 30_000, socketTimeoutMillis: Int64 = 60_000,
        requestTimeoutMillis: Int64 = 600_000
    ) -> LeapDownloaderConfig {
        LeapDownloaderConfig(
            saveDir: saveDir, validateSha256: validateSha256, disableSslValidation: disableSslValidation,
            baseUrl: baseUrl, connectTimeoutMillis: connectTimeoutMillis, socketTimeoutMillis: socketTimeoutMillis,
            requestTimeoutMillis: requestTimeoutMillis)
    }
}

extension LeapDownloaderConfig {
    /// What a hub is configured with: the environment's, and on top of it this.
    ///
    /// - Throws: ``ModelDownloadError``.
    var hubConfiguration: HubConfiguration {
        get throws {
            var configuration = try SharedHub.configuration
            if saveDir.hasPrefix("/") {
                configuration.models = URL(filePath: saveDir, directoryHint: .isDirectory)
            } else {
                configuration.models = configuration.models.deletingLastPathComponent()
                    .appending(path: saveDir, directoryHint: .isDirectory)
            }
            configuration.validatesSHA256 = validateSha256
            if disableSslValidation { configuration.transport.verification = .disabled }
            if let baseUrl {
                guard let url = URL(string: baseUrl), url.host() != nil else {
                    throw HubError.invalidName(baseUrl, "baseUrl must be a URL of http or https")
                }
                configuration.registry = url
            }
            configuration.timeouts.connect = .milliseconds(connectTimeoutMillis)
            configuration.timeouts.idle = .milliseconds(socketTimeoutMillis)
            return configuration
        }
    }
}

/// How manifests are handled, as in the LEAP SDK's lower level.
public struct LeapManifestProcessorConfig: Hashable, Sendable {
    /// The folder of all models.
    public var targetDir: String
    /// Whether a file's SHA-256 is compared, where a server tells it.
    public var validateSha256: Bool
    /// Whether nothing may be asked of the network.
    public var offlineMode: Bool

    /// A configuration.
    public init(targetDir: String, validateSha256: Bool = true, offlineMode: Bool = false) {
        self.targetDir = targetDir
        self.validateSha256 = validateSha256
        self.offlineMode = offlineMode
    }
}
