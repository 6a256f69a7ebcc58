import Foundation
import LeapHTTP
import LeapHub
import LeapSDK

/// The configuration of a downloader: where models are stored and how they are downloaded.
public struct LeapDownloaderConfig: Hashable, Sendable {
    /// The folder for all models. A relative path is resolved against the cache folder: the one in the environment
    /// variable `LEAP_CACHE`, otherwise `XDG_CACHE_HOME/leap` or `~/.cache/leap`, or Application Support on Apple
    /// platforms, except on tvOS, where it is Caches, which the system may empty.
    public var saveDir: String
    /// Whether to verify the SHA-256 of files, if the server reports it.
    public var validateSha256: Bool
    /// Whether to accept any TLS certificate, for tests with your own server.
    public var disableSslValidation: Bool
    /// The URL of the registry of manifests; `nil` for the vendor's.
    public var baseUrl: String?
    /// The timeout for connecting, in milliseconds.
    public var connectTimeoutMillis: Int64
    /// The timeout for receiving further data, in milliseconds.
    public var socketTimeoutMillis: Int64
    /// Ignored: a download may take any amount of time; ``socketTimeoutMillis`` detects a stalled server.
    public var requestTimeoutMillis: Int64

    /// Creates a configuration. The defaults are those of the LEAP SDK.
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

    /// Same as the initialiser, in the spelling of versions 0.10.9 and later.
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
    /// The configuration of a hub: that of the environment, overridden by this one.
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
                    throw HubError.invalidName(baseUrl, "baseUrl must be an http or https URL")
                }
                configuration.registry = url
            }
            configuration.timeouts.connect = .milliseconds(connectTimeoutMillis)
            configuration.timeouts.idle = .milliseconds(socketTimeoutMillis)
            return configuration
        }
    }
}

/// How manifests are handled, as in the lower-level API of the LEAP SDK.
public struct LeapManifestProcessorConfig: Hashable, Sendable {
    /// The folder for all models.
    public var targetDir: String
    /// Whether to verify the SHA-256 of files, if the server reports it.
    public var validateSha256: Bool
    /// Whether to work without the network.
    public var offlineMode: Bool

    /// Creates a configuration.
    public init(targetDir: String, validateSha256: Bool = true, offlineMode: Bool = false) {
        self.targetDir = targetDir
        self.validateSha256 = validateSha256
        self.offlineMode = offlineMode
    }
}
