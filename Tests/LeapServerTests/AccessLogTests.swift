#if Server
import LeapJSON
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapServer

/// The lines that the server writes for requests, and its counters of them.
@Suite("Access log")
struct AccessLogTests {
    @Test("every request is logged once, including streams, and without the contents")
    func accessLog() async throws {
        let lines = Mutex<[String]>([])
        try await TestServer.run(change: { $0.accessLog = { line in lines.withLock { $0.append(line) } } }) { server in
            func body(_ more: String) -> String {
                "{\"messages\":[{\"role\":\"user\",\"content\":\"Secret\"}],\"max_tokens\":4\(more)}"
            }
            _ = try await server.ask("POST", "/v1/chat/completions", body(""), headers: ["X-Request-Id: first"])
            _ = try await server.ask("POST", "/v1/chat/completions", body(",\"stream\":true"))
            _ = try await server.ask("GET", "/nowhere/secret")
        }
        let records = try lines.withLock { try $0.map { try JSONValue(parsing: Array($0.utf8)) } }
        #expect(records.map { $0["status"] } == [200, 200, 404])
        #expect(records.map { $0["completion_tokens"] } == [4, 4, nil])
        #expect(records.map { $0["finish_reason"] } == ["length", "length", nil])
        #expect(records.map { $0["endpoint"] } == ["/v1/chat/completions", "/v1/chat/completions", .null])
        #expect(records.first?["id"] == "first" && records.first?["model"]?.string == TestServer.model)
        #expect(records.allSatisfy { $0["aborted"] == nil && $0["ms"]?.wholeNumber != nil })
        #expect(!lines.withLock { $0.joined() }.lowercased().contains("secret"))
    }

    @Test("a client that leaves before its reply begins is no bad request in the log and the metrics")
    func accessLogOfGoneClient() async throws {
        let lines = Mutex<[String]>([])
        let model = try EndlessModel()
        try await TestServer.run(
            [model.path], change: { $0.accessLog = { line in lines.withLock { $0.append(line) } } }
        ) { server in
            let client = try server.connect()
            let question = EndlessModel.question(streams: false, more: "")
            try client.send(TestServer.request("POST", "/v1/chat/completions", question))
            try await eventually { server.server.answersInFlight == 1 }
            client.reset()
            try await eventually { !lines.withLock { $0.isEmpty } }
            let metrics = try await server.ask("GET", "/metrics").text
            #expect(metrics.contains("endpoint=\"/v1/chat/completions\",status=\"499\"} 1"), "\(metrics)")
        }
        let record = try JSONValue(parsing: Array(try #require(lines.withLock { $0.first }).utf8))
        #expect(record["status"] == 499 && record["aborted"] == true, "\(record)")
    }

    @Test("the log counts the tokens of all prompts, but not those read only to score one")
    func accessLogOfSeveralPrompts() async throws {
        let lines = Mutex<[String]>([])
        let prompts = "\"prompt\":[\"The sun is\",\"A long day\"],\"max_tokens\":2,\"n\":2,\"ignore_eos\":true"
        let reported = Mutex<JSONValue?>(nil)
        try await TestServer.run(change: { $0.accessLog = { line in lines.withLock { $0.append(line) } } }) { server in
            let usage = try await server.ask("POST", "/v1/completions", "{\(prompts)}").json["usage"]
            reported.withLock { $0 = usage }
            _ = try await server.ask("POST", "/v1/completions", "{\(prompts),\"stream\":true}")
            let scored = "{\(prompts),\"stream\":true,\"echo\":true,\"logprobs\":1}"
            _ = try await server.ask("POST", "/v1/completions", scored)
            let metrics = try await server.ask("GET", "/metrics").text
            #expect(metrics.contains("leap:answers_total{finished_reason=\"length\"} 12.0"))
        }
        let records = try lines.withLock { try $0.map { try JSONValue(parsing: Array($0.utf8)) } }
        let usage = reported.withLock(\.self)
        #expect(records.count == 4 && usage?["completion_tokens"] == 8)
        for key in ["prompt_tokens", "completion_tokens"] {
            #expect(records.prefix(3).allSatisfy { $0[key] == usage?[key] }, "\(key): \(records)")
        }
        #expect(records.prefix(3).allSatisfy { $0["finish_reason"] == "length" })
    }
}
#endif
