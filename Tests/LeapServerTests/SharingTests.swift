#if Server
import Foundation
import LeapJSON
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Several apps that share a server, and several servers behind a load balancer.
@Suite("Sharing")
struct SharingTests {
    private static let question = """
        {"messages":[{"role":"user","content":"Hi"}],"max_tokens":2,"temperature":0}
        """

    @Test("sessions are limited per client, which can end only its own idle ones")
    func sessions() throws {
        let sessions = Sessions(limit: 2)
        _ = try sessions.enter("a", session: "1")
        let second = try sessions.enter("a", session: "2")
        _ = try sessions.enter("a", session: "1")
        _ = try sessions.enter("b", session: "3")
        let refusal = #expect(throws: APIError.self) { try sessions.enter("a", session: "3") }
        #expect(refusal?.code == "session_limit_exceeded")
        #expect(throws: APIError.self) { try sessions.enter("a", session: nil) }
        #expect(!sessions.end("2", of: "a") && !sessions.end("1", of: "b"))
        #expect(sessions.end("1", of: "a"))
        let unnamed = try sessions.enter("a", session: nil)
        #expect(sessions.count(of: "a") == 2)
        withExtendedLifetime((second, unnamed)) {}
    }

    @Test("an idle session expires after its timeout, and an unnamed one at once")
    func expiry() async throws {
        let sessions = Sessions(limit: 1, idleTimeout: .milliseconds(500))
        _ = try sessions.enter("a", session: nil)
        _ = try sessions.enter("a", session: "1")
        #expect(throws: APIError.self) { try sessions.enter("a", session: "2") }
        try await eventually { (try? sessions.enter("a", session: "2")) != nil }
        #expect(sessions.count(of: "a") == 1)
    }

    @Test("requests above a client's session limit are refused until a session is ended")
    func limits() async throws {
        try await TestServer.run(change: { $0.sessionsPerClient = 1 }) { server in
            func ask(_ session: String) async throws -> Int {
                try await server.ask(
                    "POST", "/v1/chat/completions", Self.question, headers: ["X-Session-Id: \(session)"]
                ).status
            }
            let statuses = [try await ask("one"), try await ask("one"), try await ask("two")]
            #expect(statuses == [200, 200, 429])
            #expect(try await server.ask("DELETE", "/v1/sessions/two").status == 404)
            #expect(try await server.ask("DELETE", "/v1/sessions/one").status == 204)
            #expect(try await ask("two") == 200)
        }
    }

    @Test("clients on a Unix socket are identified by user, and the socket has the configured mode")
    func users() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "leap-\(UUID().uuidString.prefix(8)).sock")
            .path
        let lines = Mutex<[String]>([])
        try await TestServer.run(change: {
            ($0.address, $0.socketMode) = (.unix(path: path), 0o660)
            $0.accessLog = { line in lines.withLock { $0.append(line) } }
        }) { _ in
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o660)
            let client = try RawClient(path: path)
            try client.send(
                TestServer.request("POST", "/v1/chat/completions", Self.question, headers: ["Connection: close"]))
            #expect(try await client.reply().status == 200)
        }
        let line = try JSONValue(parsing: lines.withLock(\.last) ?? "")
        #expect(line["client"]?.string == "user-\(geteuid())")
    }

    @Test("a model in use by another client is not unloaded on request")
    func eviction() async throws {
        try await TestServer.run { server in
            let pool = server.server.core.pool
            let lease = try await pool.lease(nil)
            let eviction = #"{"model":"\#(TestServer.model)","keep_alive":0}"#
            #expect(try await server.ask("POST", "/api/generate", eviction).status == 200)
            #expect(pool.contents.first?.condition == .ready)
            withExtendedLifetime(lease) {}
        }
    }

    @Test("what a client says about keeping a model ends when the model is unloaded")
    func endOfKeeping() async throws {
        try await TestServer.run { server in
            let pool = server.server.core.pool
            let last =
                #"{"model":"\#(TestServer.model)","prompt":"Once","options":{"num_predict":1},"keep_alive":0}"#
            #expect(try await server.ask("POST", "/api/generate", last).status == 200)
            try await eventually { pool.contents.first?.condition == .absent }
            #expect(try await server.ask("POST", "/completion", #"{"prompt":"Once","n_predict":1}"#).status == 200)
            #expect(pool.timeUntilUnload(of: try pool.card(nil)) == nil)
        }
    }

    @Test("after models were in use together, the memory limit holds again")
    func limitAfterwards() async throws {
        let models = ["lfm2-chat-q8_0", "llama-tied-f32"]
        try await TestServer.run(models.map { Fixture(name: $0).path }, change: { $0.maxMemory = 1 }) { server in
            let pool = server.server.core.pool
            do {
                let leases = [try await pool.lease(models[0]), try await pool.lease(models[1])]
                await pool.unloadIdle()
                #expect(pool.contents.map(\.condition) == [.ready, .ready])
                withExtendedLifetime(leases) {}
            }
            await pool.unloadIdle()
            #expect(pool.contents.count { $0.condition == .ready } == 1)
        }
    }

    @Test("response headers have the node, the queue length and the cached tokens")
    func headers() async throws {
        try await TestServer.run(change: { $0.node = "left" }) { server in
            let long = String(repeating: "word and word ", count: 30)
            let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"\(long)\"}],\"max_tokens\":1}"
            let first = try await server.ask("POST", "/v1/chat/completions", body)
            #expect(first.head.contains("x-leap-node: left") && first.head.contains("x-leap-queue: 0"))
            #expect(first.head.contains("x-leap-cached-tokens: 0"))
            let second = try await server.ask("POST", "/v1/chat/completions", body)
            let cached = try #require(second.json["usage"]?["prompt_tokens_details"]?["cached_tokens"])
            #expect(cached != 0)
            #expect(second.head.contains("x-leap-cached-tokens: \(cached.text())"))
            let health = try await server.ask("GET", "/health")
            #expect(health.head.contains("x-leap-node: left") && !health.head.contains("cached"))
        }
    }

    @Test("with a drain delay, a server reports that it is draining and still answers meanwhile")
    func delay() async throws {
        try await TestServer.run(change: { $0.drainDelay = .seconds(8) }) { server in
            let ending = Task { await server.server.shutDown() }
            try await eventually { server.server.core.isShuttingDown }
            #expect(try await server.ask("GET", "/health").status == 503)
            #expect(try await server.ask("GET", "/v1/models").text.contains("draining"))
            #expect(try await server.ask("POST", "/v1/chat/completions", Self.question).status == 200)
            try await eventually { server.server.core.isDraining }
            await ending.value
        }
    }
}
#endif
