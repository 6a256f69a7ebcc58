import Foundation
import LeapHub
import Testing
import _LeapHTTPTestSupport

/// Redirects, and which servers receive the token.
@Suite(.timeLimit(.minutes(5)))
struct RedirectTests {
    private let bytes = ServedFile.model(size: 5000)

    private func redirecting(to location: String, status: Int = 302) async throws -> ModelServer {
        try await modelServer(bytes) { request, connection in
            guard request.path == "/m/model.gguf" else { return false }
            try await connection.respond(status, headers: ["Location": location])
            return true
        }
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `A redirect within a server is followed`(status: Int) async throws {
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            if request.path == "/m/model.gguf" {
                try await connection.respond(status, headers: ["Location": "../other/place?x=1"])
            } else if request.path == "/other/place" {
                try await connection.serve(file, to: request)
            } else {
                return false
            }
            return true
        }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(model.size == 5000)
    }

    @Test(arguments: [
        ("http://169.254.169.254/latest/meta-data", "it is a link-local address"),
        ("http://2852039166/", "it is a link-local address"), ("http://[fe80::1]/", "it is a link-local address"),
        ("http://[::ffff:169.254.169.254]/", "it is a link-local address"),
        ("http://0.0.0.0/", "it is a reserved address"), ("file:///etc/passwd", "only https is allowed"),
        ("ftp://127.0.0.1/x", "only https is allowed"), ("http://example.com/model.gguf", "only https is allowed"),
        ("https://user:secret@example.com/", "it contains a user name"), ("gopher://x", "only https is allowed"),
    ])
    func `Redirects to other schemes and to internal addresses are refused`(
        location: String, reason: String
    ) async throws {
        let server = try await redirecting(to: location)
        let hub = try TestHub()
        guard
            case .redirectRefused(let url, to: let target, let found) = await hub.error(server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(url == server.url("/m/model.gguf").absoluteString)
        #expect(!target.contains("secret"))
        #expect(found == reason)
        #expect(hub.files().filter { $0.hasSuffix("gguf") } == [])
    }

    @Test func `A redirect loop ends after five redirects`() async throws {
        let server = try await redirecting(to: "/m/model.gguf")
        let hub = try TestHub()
        guard case .redirectRefused(_, to: _, "more than 5 redirects") = await hub.error(server.url("/m/manifest.json"))
        else {
            Issue.record("unexpected outcome")
            return
        }
        #expect(server.server.requests.count { $0.path == "/m/model.gguf" } == 6)
    }

    @Test func `Five redirects are followed`() async throws {
        let file = ServedFile(bytes)
        let server = try await modelServer(bytes) { request, connection in
            guard let hop = request.query["hop"].flatMap({ Int($0) }) ?? (request.path == "/m/model.gguf" ? 0 : nil)
            else { return false }
            if hop == 5 {
                try await connection.serve(file, to: request)
            } else {
                try await connection.respond(302, headers: ["Location": "/m/model.gguf?hop=\(hop + 1)"])
            }
            return true
        }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(model.size == 5000)
        let requests = server.server.requests.filter { $0.path == "/m/model.gguf" }
        #expect(Set(requests.map { $0.query["hop"] ?? "0" }) == ["0", "1", "2", "3", "4", "5"])
    }

    @Test func `A redirect from https to http is refused`() throws {
        let policy = URLPolicyProbe()
        #expect(
            policy.objection("http://example.com/x", from: "https://example.com/y")
                == "it downgrades from https to http")
        #expect(policy.objection("https://cdn.example.com/x", from: "https://example.com/y") == nil)
        #expect(policy.objection("http://127.0.0.1/x", from: "https://example.com/y") == "it points to this machine")
        #expect(policy.objection("https://127.1/x", from: "https://example.com/y") == "it points to this machine")
        #expect(policy.objection("https://localhost/x", from: "https://example.com/y") == "it points to this machine")
        #expect(
            policy.objection(
                "http://mirror.example/x", from: "https://example.com/y", trusted: ["http://mirror.example"]) == nil)
    }

    @Test(arguments: [
        "127.0.0.1", "127.1", "127.255.0.3", "2130706433", "0x7f.1", "0177.0.0.1", "0x7f000001", "127.0.0.1.",
        "localhost", "LOCALHOST", "localhost.", "a.localhost", "ip6-localhost", "%6cocalhost", "%31%32%37.0.0.1",
        "[::1]", "[0:0:0:0:0:0:0:1]", "[0000:0000:0000:0000:0000:0000:0000:0001]", "[::1%25lo]", "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]",
        "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[64:ff9b:1::127.0.0.1]",
    ])
    func `This machine is recognised in any spelling of its address`(host: String) {
        let policy = URLPolicyProbe()
        let objection = policy.objection("https://\(host)/x", from: "https://example.com/y")
        let refusals = ["it points to this machine", "its host is neither a valid name nor an address", "not a URL"]
        #expect(refusals.contains(objection ?? "none"), "\(objection ?? "none")")
        #expect(policy.objection("https://\(host):8443/x", from: "https://example.com/y") != nil)
    }

    @Test(arguments: [
        ("169.254.169.254", "it is a link-local address"), ("0xa9.254.43518", "it is a link-local address"),
        ("[fe80::1]", "it is a link-local address"), ("[febf::1%25eth0]", "it is a link-local address"),
        ("[::ffff:169.254.169.254]", "it is a link-local address"),
        ("[0:0:0:0:0:ffff:a9fe:a9fe]", "it is a link-local address"),
        ("[64:ff9b::169.254.169.254]", "it is a link-local address"), ("0.0.0.0", "it is a reserved address"),
        ("0", "it is a reserved address"), ("[::]", "it is a reserved address"),
        ("[::ffff:0.0.0.0]", "it is a reserved address"), ("[fd00:ec2::254]", "it is a reserved address"),
        ("100.100.100.200", "it is a reserved address"),
    ])
    func `Cloud metadata addresses are refused, even from this machine`(
        host: String, reason: String
    ) {
        for source in ["https://example.com/y", "http://127.0.0.1/y"] {
            #expect(URLPolicyProbe().objection("https://\(host)/x", from: source) == reason)
        }
    }

    @Test(arguments: [
        "example.com", "127.example.com", "localhost.example.com", "1.1.1.1", "[2606:4700::1111]", "[fec0::1]",
        "[::ffff:1.1.1.1]", "192.168.1.5", "xn--bcher-kva.example", "128.0.0.1", "169.255.0.1",
    ])
    func `Other hosts are allowed`(host: String) {
        #expect(URLPolicyProbe().objection("https://\(host)/x", from: "https://example.com/y") == nil)
    }

    @Test(arguments: [
        "http://example.com@127.0.0.1/", "https://example.com%40127.0.0.1/", "https://127.0.0.1%23@example.com/",
        "https://example.com:443@localhost/",
    ])
    func `A user name in a URL does not hide the host`(target: String) {
        #expect(URLPolicyProbe().objection(target, from: "https://example.org/y") != nil)
    }

    @Test func `A token is sent to its own server only`() async throws {
        let file = ServedFile(bytes)
        let elsewhere = try await ModelServer.start(files: ["/file": file])
        let address = elsewhere.url("/file").absoluteString
        let server = try await ModelServer.start { request, connection in
            switch request.path {
            case "/hf/org/repo/resolve/main/leap/Q4_0.json":
                try await connection.serve(ModelServer.manifest(model: "../model-Q4_0.gguf"), to: request)
            default: try await connection.respond(302, headers: ["Location": address])
            }
            return true
        }
        let hub = try TestHub(server, token: "hf_secret")
        _ = try await hub.download(server.url("/hf/org/repo/resolve/main/leap/Q4_0.json"))
        #expect(server.server.requests.allSatisfy { $0.headers["authorization"] == "Bearer hf_secret" })
        #expect(!elsewhere.server.requests.isEmpty)
        #expect(elsewhere.server.requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test func `The redirect's file headers suffice if the target refuses HEAD`() async throws {
        let file = ServedFile(bytes)
        let redirectHeaders = linked(bytes).merging(["Location": "/store/1"]) { $1 }
        let server = try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: "model.gguf")])
        {
            request, connection in
            switch (request.path, request.method) {
            case ("/m/model.gguf", _): try await connection.respond(302, headers: redirectHeaders)
            case ("/store/1", "GET"): try await connection.serve(file, to: request)
            case ("/store/1", _): try await connection.respond(403)
            default: return false
            }
            return true
        }
        let hub = try TestHub()
        let model = try await hub.download(server.url("/m/manifest.json"))
        #expect(model.files.first?.sha256 == sha256(bytes))
        #expect(server.requests("/store/1", method: "HEAD").isEmpty)
        #expect(hub.files().count == 2)
    }

    @Test func `The file headers of a second redirect are used after a rename`() async throws {
        var damaged = bytes
        damaged[damaged.count / 2] ^= 1
        let redirectHeaders = linked(bytes).merging(["Location": "/store/1"]) { $1 }
        let file = ServedFile(damaged)
        let server = try await ModelServer.start(files: ["/m/manifest.json": ModelServer.manifest(model: "model.gguf")])
        {
            request, connection in
            switch request.path {
            case "/m/model.gguf": try await connection.respond(307, headers: ["Location": "/n/model.gguf"])
            case "/n/model.gguf": try await connection.respond(302, headers: redirectHeaders)
            case "/store/1": try await connection.serve(file, to: request)
            default: return false
            }
            return true
        }
        let hub = try TestHub()
        guard case .sha256Mismatch = await hub.error(server.url("/m/manifest.json")) else {
            Issue.record("unexpected outcome")
            return
        }
    }

    @Test func `A token is not sent to another server that hosts a manifest`() async throws {
        let huggingFace = try await ModelServer.start()
        let server = try await modelServer(bytes)
        let hub = try TestHub(huggingFace, token: "hf_secret")
        _ = try await hub.download(server.url("/m/manifest.json"))
        #expect(server.server.requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    @Test func `Errors show neither tokens nor queries`() async throws {
        let server = try await redirecting(to: "http://example.com/?signature=topsecret")
        let hub = try TestHub(server, token: "hf_secret")
        let text = "\(try #require(await hub.error(server.url("/m/manifest.json?key=topsecret"))))"
        #expect(!text.contains("topsecret") && !text.contains("hf_secret"))
        #expect(text.contains("http://example.com/?…"))
    }
}
