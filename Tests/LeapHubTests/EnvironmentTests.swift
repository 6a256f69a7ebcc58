import Foundation
import LeapHTTP
import LeapHub
import Testing

struct EnvironmentTests {
    private func configuration(_ environment: [String: String]) throws -> HubConfiguration {
        try HubConfiguration(environment: ["HOME": "/nobody"].merging(environment) { $1 })
    }

    #if !canImport(Darwin)
    @Test(arguments: [
        ([:], "/nobody/.cache/leap/leap_models"), (["XDG_CACHE_HOME": "/xdg"], "/xdg/leap/leap_models"),
        (["XDG_CACHE_HOME": "/xdg", "LEAP_CACHE": "/leap"], "/leap/leap_models"),
        (["LEAP_CACHE": ""], "/nobody/.cache/leap/leap_models"),
    ])
    func `Models are stored below one root folder`(environment: [String: String], path: String) throws {
        #expect(try configuration(environment).models.path == path)
    }
    #endif

    @Test func `Help texts name the default root folder of this system`() throws {
        let root = try HubConfiguration(environment: ["HOME": NSHomeDirectory()]).models.deletingLastPathComponent()
        let text = HubConfiguration.defaultRootText.replacingOccurrences(of: "~", with: NSHomeDirectory())
        #expect(text.hasSuffix(root.path), "\(text)")
    }

    @Test func `By default, the vendor's registry and Hugging Face are used without a token`() throws {
        let configuration = try configuration([:])
        #expect(configuration.registry.absoluteString == "https://leap.liquid.ai")
        #expect(configuration.huggingFace.absoluteString == "https://huggingface.co")
        #expect(configuration.token == nil)
        #expect(!configuration.isOffline)
        #expect(configuration.huggingFaceCache?.path == "/nobody/.cache/huggingface/hub")
        #expect(configuration.transport == TransportConfiguration())
    }

    @Test func `Hugging Face's environment variables are used`() throws {
        let configuration = try configuration([
            "HF_ENDPOINT": "https://mirror.example", "HF_TOKEN": "hf_secret", "HF_HOME": "/hf",
            "https_proxy": "http://proxy:3128", "SSL_CERT_FILE": "/etc/roots.pem",
        ])
        #expect(configuration.huggingFace.absoluteString == "https://mirror.example")
        #expect(configuration.token == "hf_secret")
        #expect(configuration.huggingFaceCache?.path == "/hf/hub")
        #expect(configuration.transport.proxies.https == Proxy(host: "proxy", port: 3128))
        #expect(configuration.transport.verification == .roots(URL(filePath: "/etc/roots.pem")))
    }

    @Test func `A proxy of another kind fails only the requests that it is for`() async throws {
        let settings = ["https_proxy": "socks5://me:secret@proxy", "no_proxy": "127.0.0.1"]
        let rules = try configuration(settings).transport.proxies
        #expect(throws: UnusableProxy.self) { try rules.proxy(scheme: "https", host: "huggingface.co", port: 443) }
        #expect(try rules.proxy(scheme: "https", host: "127.0.0.1", port: 443) == nil)
        #expect(try rules.proxy(scheme: "http", host: "huggingface.co", port: 80) == nil)
    }

    @Test func `A stored token is found, unless the environment sets one`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-token-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("hf_stored\n".utf8).write(to: folder.appending(path: "token"))
        #expect(try configuration(["HF_HOME": folder.path]).token == "hf_stored")
        #expect(try configuration(["HF_HOME": folder.path, "HF_TOKEN": "hf_other"]).token == "hf_other")
        #expect(try configuration(["HF_TOKEN_PATH": folder.appending(path: "token").path]).token == "hf_stored")
    }

    @Test(arguments: ["HF_HUB_OFFLINE", "LEAP_OFFLINE"])
    func `The network can be disabled`(name: String) throws {
        for value in ["1", "true", "YES", "on"] { #expect(try configuration([name: value]).isOffline) }
        for value in ["0", "", "false"] { #expect(try !configuration([name: value]).isOffline) }
    }

    @Test(arguments: ["HF_ENDPOINT", "LEAP_REGISTRY"])
    func `An invalid URL is an error that names its variable`(name: String) {
        #expect(throws: HubError.invalidName("nonsense", "\(name) must be an http or https URL")) {
            try configuration([name: "nonsense"])
        }
    }
}
