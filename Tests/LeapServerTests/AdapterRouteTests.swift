#if Server
import Foundation
import LeapEngine
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// Scales of LoRA adapters, per request and as defaults of the server.
@Suite("LoRA adapters over HTTP")
struct AdapterRouteTests {
    private static let model = "lfm2-tied-f32"

    private static func run(_ body: @Sendable (TestServer) async throws -> Void) async throws {
        let adapters = zip(["all", "some"], [Float(1), 0]).map { name, scale in
            AdapterOptions(path: AdapterFixtures.path(name, of: model), scale: scale)
        }
        try await TestServer.run([Fixture(name: model).path], adapters: adapters, body)
    }

    /// The generated text, with or without a list of scales.
    private static func text(
        _ server: TestServer, _ lora: String? = nil, path: String = "/completion"
    ) async throws -> String {
        let more = lora.map { #","lora":\#($0)"# } ?? ""
        let tokens = path == "/completion" ? "n_predict" : "max_tokens"
        let subject =
            path == "/v1/chat/completions" ? #""messages":[{"role":"user","content":"Hi"}]"# : #""prompt":"Once upon""#
        let body = #"{\#(subject),"\#(tokens)":8,"temperature":0,"ignore_eos":true\#(more)}"#
        let reply = try await server.ask("POST", path, body)
        #expect(reply.status == 200, "\(reply)")
        let json = try reply.json
        let choice = json["choices"]?.array?.first
        return (json["content"] ?? choice?["text"] ?? choice?["message"]?["content"])?.string ?? "?"
    }

    @Test("a request's adapter scales apply to it alone, and adapters it does not list are not applied")
    func requests() async throws {
        try await Self.run { server in
            for path in ["/completion", "/v1/completions", "/v1/chat/completions"] {
                let usual = try await Self.text(server, path: path)
                let none = try await Self.text(server, "[]", path: path)
                let first = try await Self.text(server, #"[{"id":0,"scale":1}]"#, path: path)
                let second = try await Self.text(server, #"[{"id":1,"scale":1.0}]"#, path: path)
                let both = try await Self.text(server, #"[{"id":1,"scale":0.5},{"id":0,"scale":1}]"#, path: path)
                #expect(first == usual && Set([none, first, second, both]).count >= 3, "\(path)")
                #expect(try await Self.text(server, path: path) == usual)
            }
        }
    }

    @Test("the default scales are listed, and can be changed for requests that specify none")
    func defaults() async throws {
        try await Self.run { server in
            func scales() async throws -> [Double?] {
                try await server.ask("GET", "/lora-adapters").json.array?.map { $0["scale"]?.double } ?? []
            }
            let list = try await server.ask("GET", "/lora-adapters").json.array ?? []
            #expect(list.map { $0["id"] } == [0, 1])
            #expect(
                list.first?["path"]?.string?.hasSuffix(".all.gguf") == true
                    && list[0]["path"]?.string?.contains("/") == false)
            #expect(try await scales() == [1, 0])
            let second = try await Self.text(server, #"[{"id":1,"scale":0.75}]"#)
            let reply = try await server.ask("POST", "/lora-adapters", #"[{"id":1,"scale":0.75}]"#)
            #expect(try reply.status == 200 && reply.json["success"] == true)
            #expect(try await scales() == [0, 0.75])
            #expect(try await Self.text(server) == second)
        }
    }

    @Test("all parts of a completion have the same scales, even if the defaults change meanwhile")
    func oneSet() async throws {
        try await Self.run { server in
            let prompt = String(repeating: "Once upon a time ", count: 12)
            /// The log probabilities of each choice.
            func completion(_ more: String) async throws -> [Int: [JSONValue]] {
                let body = """
                    {"prompt":["\(prompt)","\(prompt)b"],"max_tokens":6,"temperature":0,"ignore_eos":true,"echo":true,\
                    "logprobs":1,"cache_prompt":false,"stream":true\(more)}
                    """
                var choices: [Int: [JSONValue]] = [:]
                let reply = try await server.ask("POST", "/v1/completions", body).text
                for event in reply.split(separator: "data: ").dropFirst() {
                    guard let line = event.split(whereSeparator: \.isNewline).first,
                        let json = try? JSONValue(parsing: String(line)),
                        let choice = json["choices"]?.array?.first, let index = choice["index"]?.wholeNumber
                    else { continue }
                    choices[index, default: []] += choice["logprobs"]?["token_logprobs"]?.array ?? []
                }
                return choices
            }
            let expected = try await [completion(#","lora":[{"id":0,"scale":1}]"#), completion(#","lora":[]"#)]
            #expect(expected[0] != expected[1] && expected[0].count == 2 && expected[0][0]?.count ?? 0 > 20)
            let changes = Task {
                while !Task.isCancelled {
                    _ = try await server.ask("POST", "/lora-adapters", #"[{"id":0,"scale":1}]"#)
                    _ = try await server.ask("POST", "/lora-adapters", "[]")
                }
            }
            for _ in 0..<12 { #expect(try await expected.contains(completion(""))) }
            changes.cancel()
            _ = await changes.result
        }
    }

    @Test("the fingerprint depends on the scales, wherever they come from")
    func fingerprint() async throws {
        try await Self.run { server in
            func fingerprint(_ path: String, _ more: String = "") async throws -> JSONValue {
                let subject =
                    path == "/v1/completions" ? #""prompt":"a""# : #""messages":[{"role":"user","content":"a"}]"#
                let reply = try await server.ask("POST", path, #"{\#(subject),"max_tokens":1\#(more)}"#)
                return try #require(try reply.json["system_fingerprint"])
            }
            for path in ["/v1/completions", "/v1/chat/completions"] {
                _ = try await server.ask("POST", "/lora-adapters", #"[{"id":0,"scale":1}]"#)
                let before = try await fingerprint(path)
                let requested = try await fingerprint(path, #","lora":[{"id":1,"scale":2}]"#)
                _ = try await server.ask("POST", "/lora-adapters", #"[{"id":1,"scale":2}]"#)
                #expect(try await fingerprint(path) == requested && before != requested)
            }
        }
    }

    @Test("invalid adapter scales are refused with the path of the field")
    func refusals() async throws {
        try await Self.run { server in
            for (list, text) in [
                (#"[{"id":2,"scale":1}]"#, "adapter 2 was requested, but the model's adapters are numbered 0 to 1"),
                (#"[{"id":0}]"#, "lora[0].scale"), (#"[{"scale":1}]"#, "lora[0].id"), (#"{"id":0}"#, "an array"),
                (#"[{"id":0,"scale":1},{"id":0,"scale":2}]"#, "lora[1].id"),
                (#"[{"id":0,"scale":1e9}]"#, "lora[0].scale"),
                (#"[7]"#, "lora[0]"),
            ] {
                let body = #"{"prompt":"a","n_predict":1,"lora":\#(list)}"#
                let reply = try await server.ask("POST", "/completion", body)
                #expect(reply.status == 400 && reply.text.contains(text), "\(list): \(reply.text)")
                let posted = try await server.ask("POST", "/lora-adapters", list)
                #expect(posted.status == 400, "\(list): \(posted.text)")
            }
            #expect(try await server.ask("POST", "/lora-adapters", "{}").text.contains("an array of objects"))
        }
        try await TestServer.run([Fixture(name: Self.model).path]) { server in
            #expect(try await server.ask("GET", "/lora-adapters").json == [])
            let body = #"{"prompt":"a","n_predict":1,"lora":[{"id":0,"scale":1}]}"#
            let reply = try await server.ask("POST", "/completion", body)
            #expect(reply.status == 400 && reply.text.contains("the model was loaded without adapters"))
            #expect(
                try await server.ask("POST", "/completion", #"{"prompt":"a","n_predict":1,"lora":[]}"#).status == 200)
        }
    }
}
#endif
