public import Foundation
import LeapHTTP

extension HubConfiguration {
    /// Creates the configuration from environment variables:
    ///
    /// - `LEAP_CACHE`: the cache folder. By default `XDG_CACHE_HOME/leap` or `~/.cache/leap`; on Apple platforms
    ///   Application Support, except on tvOS, where it is Caches.
    /// - `LEAP_REGISTRY`: the URL of the registry. `LEAP_OFFLINE`, `HF_HUB_OFFLINE`: 1 to work without the network.
    /// - `HF_ENDPOINT`, `HF_TOKEN` (or the file `HF_TOKEN_PATH`, or `token` in `HF_HOME`), `HF_HOME`, `HF_HUB_CACHE`.
    /// - `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`; `SSL_CERT_FILE`.
    ///
    /// A variable that names an unusable proxy is no error here: the requests to which it applies fail.
    ///
    /// - Throws: ``HubError/invalidName(_:_:)`` if an address is invalid.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(HubError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        func folder(_ name: String) -> URL? { value(name).map { URL(filePath: $0, directoryHint: .isDirectory) } }
        func isOn(_ name: String) -> Bool { ["1", "ON", "YES", "TRUE"].contains(value(name)?.uppercased() ?? "") }
        func server(_ name: String, _ standard: URL) throws(HubError) -> URL {
            guard let text = value(name) else { return standard }
            guard let url = URL(string: text), Origin(url) != nil else {
                throw .invalidName(text, "\(name) must be an http or https URL")
            }
            return url
        }

        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUserIfAny
        let caches = folder("XDG_CACHE_HOME") ?? home.appending(path: ".cache", directoryHint: .isDirectory)
        self.init(
            models: Self.root(environment, caches).appending(path: Self.modelsFolder, directoryHint: .isDirectory),
            registry: try server("LEAP_REGISTRY", Self.defaultRegistry),
            huggingFace: try server("HF_ENDPOINT", Self.defaultHuggingFace))

        let hub = folder("HF_HOME") ?? caches.appending(path: "huggingface", directoryHint: .isDirectory)
        huggingFaceCache = folder("HF_HUB_CACHE") ?? hub.appending(path: "hub", directoryHint: .isDirectory)
        token = value("HF_TOKEN") ?? Self.storedToken(folder("HF_TOKEN_PATH") ?? hub.appending(path: "token"))
        isOffline = isOn("LEAP_OFFLINE") || isOn("HF_HUB_OFFLINE")
        transport = TransportConfiguration(environment: environment)
    }

    /// Returns the cache folder, which all programs share.
    static func root(_ environment: [String: String], _ caches: URL) -> URL {
        if let chosen = environment["LEAP_CACHE"], !chosen.isEmpty {
            return URL(filePath: chosen, directoryHint: .isDirectory)
        }
        return (systemFolder ?? caches).appending(path: "leap", directoryHint: .isDirectory)
    }

    /// The folder that the system has for files of apps; `nil` where that is up to the user.
    private static var systemFolder: URL? {
        #if os(tvOS)
        // The only place where apps may write, on devices.
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
        #elseif canImport(Darwin)
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        #else
        nil
        #endif
    }

    /// Where the cache folder is without `LEAP_CACHE`, for people.
    package static var defaultRootText: String {
        #if canImport(Darwin)
        "~/Library/Application Support/leap"
        #else
        "XDG_CACHE_HOME/leap, or ~/.cache/leap"
        #endif
    }

    private static func storedToken(_ file: URL) -> String? {
        // No such file is the usual case: there is no token then.
        guard let bytes = (try? OpenFile.contents(of: file, upTo: 1 << 16)) ?? nil else { return nil }
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }
}

extension FileManager {
    fileprivate var homeDirectoryForCurrentUserIfAny: URL {
        URL(filePath: NSHomeDirectory(), directoryHint: .isDirectory)
    }
}
