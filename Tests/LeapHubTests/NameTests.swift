import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Untrusted names, which must never be paths or leave the folder.
@Suite(.timeLimit(.minutes(5)))
struct NameTests {
    static let bad: [(String, String)] = [
        ("", "it is empty"), ("..", "it begins with a dot"), (".", "it begins with a dot"),
        (".hidden", "it begins with a dot"), ("../x", "it contains a slash"), ("a/b", "it contains a slash"),
        ("/etc/passwd", "it contains a slash"), ("a\\b", "it contains a slash"), ("..\\..\\x", "it contains a slash"),
        ("%2e%2e%2fx", "it contains an encoded slash or dot"), ("a%2Fb", "it contains an encoded slash or dot"),
        ("a%5cb", "it contains an encoded slash or dot"), ("a%00b", "it contains an encoded slash or dot"),
        ("a%252fb", "it contains an encoded slash or dot"), ("~root", "it begins with a tilde"),
        (".\u{301}hidden", "it begins with a dot"), ("~\u{301}root", "it begins with a tilde"),
        ("a:\u{301}b", "it contains a colon"), (" \u{301}a", "it ends with a dot, or begins or ends with a space"),
        ("a%2\u{301}fb", "it contains an encoded slash or dot"),
        ("con.\u{301}gguf", "it is a reserved device name on some systems"),
        ("model\u{202E}fugg.exe", "it contains an invisible character"),
        ("a\u{200B}b", "it contains an invisible character"), ("a\u{2028}b", "it contains an invisible character"),
        ("a\0b", "it contains a control character"), ("a\nb", "it contains a control character"),
        ("CON", "it is a reserved device name on some systems"),
        ("con.gguf", "it is a reserved device name on some systems"),
        ("LPT1.json", "it is a reserved device name on some systems"), ("a:b", "it contains a colon"),
        ("a.", "it ends with a dot, or begins or ends with a space"),
        (" a", "it ends with a dot, or begins or ends with a space"),
        (String(repeating: "a", count: 300), "it is longer than 200 bytes"),
        (String(repeating: "ä", count: 101), "it is longer than 200 bytes"),
    ]

    @Test(arguments: bad)
    func `Unsafe file names are refused`(name: String, reason: String) {
        #expect(throws: HubError.invalidName(name, reason)) { try FileName(name) }
    }

    @Test(arguments: [
        "LFM2-1.2B", "LFM2.5-VL-1.6B", "model Q4_K_M.gguf", "模型.gguf", "modèle e\u{301}.gguf", "🌍\u{FE0F}.gguf", "a..b",
        "console.gguf",
    ])
    func `Safe file names are accepted`(name: String) throws {
        #expect(try FileName(name).text == name)
    }

    @Test(arguments: bad.map(\.0).filter { !$0.isEmpty })
    func `Unsafe names of models, repositories and quantisations are refused`(name: String) async throws {
        let server = try await ModelServer.start()
        let hub = try TestHub(server)
        for reference in [
            ModelReference.named(name, quantization: "Q4_0"), .named("model", quantization: name),
            .repository("\(name)/repo", quantization: "Q4_0"), .repository("owner/\(name)", quantization: nil),
        ] {
            let error = await hub.error { _ = try await hub.hub.download(reference) }
            guard case .invalidName = error else {
                Issue.record("\(reference): \(String(describing: error))")
                continue
            }
        }
        #expect(server.server.requests.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: hub.models.path))
    }

    @Test(arguments: [
        "/etc/passwd", "~/x.gguf", "..\\\\x.gguf", "a%2f..%2f..%2fx.gguf", "%2e%2e%2fx.gguf", "../../../../../x.gguf",
        "x%00.gguf", "CON", "sub/..", "sub/.gguf", "file:///etc/passwd", "ftp://example.com/x.gguf",
        "http://example.com/x.gguf", "http://169.254.169.254/x.gguf", "https://user@example.com/x.gguf",
        "sub/%7Eroot", "files/Manifest.json", "https://example.com/", "%2e%2e/%2e%2e/%2e%2e/x.gguf",
    ])
    func `A manifest's reference that leads outside is refused`(reference: String) async throws {
        let server = try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: reference)])
        let hub = try TestHub()
        guard case .unsafeReference(let manifest, _, _) = await hub.error(server.url("/m/manifest.json")) else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(manifest == server.url("/m/manifest.json").absoluteString)
        #expect(server.server.requests.count == 1)
        #expect(!FileManager.default.fileExists(atPath: hub.models.path))
    }

    @Test func `Two files with the same name are refused, ignoring case`() async throws {
        let server = try await ModelServer.start(files: [
            "/m/manifest.json": ModelServer.manifest(model: "a/Model.gguf", projector: "b/model.GGUF")
        ])
        guard
            case .unsafeReference(_, _, "another file of the model has the same name") = try await TestHub().error(
                server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
    }

    @Test func `Model references are parsed as users type them`() throws {
        #expect(try ModelReference("LFM2-1.2B") == .named("LFM2-1.2B", quantization: nil))
        #expect(try ModelReference("LFM2-1.2B:q4_0") == .named("LFM2-1.2B", quantization: "q4_0"))
        #expect(try ModelReference("hf:owner/repo") == .repository("owner/repo", quantization: nil))
        #expect(try ModelReference("hf:owner/repo:Q8_0") == .repository("owner/repo", quantization: "Q8_0"))
        let url = try #require(URL(string: "https://example.com/Q4_0.json"))
        #expect(try ModelReference("https://example.com/Q4_0.json") == .manifest(url))
        for text in ["hf:repo", "hf:a/b/c", "a/b", "", ":Q4_0", "name:", "name:a/b"] {
            #expect(throws: HubError.self, "\(text)") { try ModelReference(text) }
        }
    }
}
