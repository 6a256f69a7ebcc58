#if Server
import Foundation
import HTTPTypes
import LeapEngine
import LeapJSON
import LeapOps
import Logging
import Synchronization
import Testing
import _LeapTestSupport

@testable import LeapServer

/// The server from a client's point of view.
@Suite("Server")
struct ServerTests {
    private static func body(_ number: Int) -> String {
        let words = (0..<(3 + number * 7 % 40)).map { "word\(($0 * number) % 11)" }.joined(separator: " ")
        return """
            {"model":"\(TestServer.model)","messages":[{"role":"user","content":"\(words)"}],"max_tokens":\(3 + number % 9),
            "temperature":\(number % 3),"seed":\(number),"logprobs":true,"top_logprobs":2}
            """
    }

    @Test("twenty concurrent answers and their log probabilities are the same as each alone")
    func concurrentRequests() async throws {
        try await TestServer.run { server in
            var alone: [JSONValue?] = []
            for number in 0..<20 {
                alone.append(try await server.ask("POST", "/v1/chat/completions", Self.body(number)).json["choices"])
            }
            let together = try await withThrowingTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        (
                            number,
                            try await server.ask("POST", "/v1/chat/completions", Self.body(number)).json["choices"]
                        )
                    }
                }
                return try await group.reduce(into: [Int: JSONValue?]()) { $0[$1.0] = $1.1 }
            }
            for number in 0..<20 { #expect(together[number] == alone[number]) }
            #expect(alone.allSatisfy { $0 != nil })
        }
    }

    @Test("when all slots are taken, a request is refused at once with Retry-After")
    func overload() async throws {
        try await TestServer.run(change: { ($0.parallel, $0.queue) = (1, 0) }) { server in
            let permit = try server.server.core.admission.admit("somebody", answers: 1)
            defer { withExtendedLifetime(permit) {} }
            let refused = try await server.ask("POST", "/v1/chat/completions", Self.body(1))
            #expect(refused.status == 503)
            #expect(refused.head.contains("retry-after: "))
            #expect(try await server.ask("GET", "/health").status == 200)
        }
    }

    @Test("several answers or prompts of one request share a single slot")
    func turns() async throws {
        try await TestServer.run(change: { ($0.parallel, $0.queue) = (1, 1) }) { server in
            let several = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"n\":3,\"max_tokens\":2}"
            let answers = try await server.ask("POST", "/v1/chat/completions", several)
            #expect(try answers.status == 200 && answers.json["choices"]?.array?.count == 3)
            let prompts = "{\"prompt\":[\"a\",\"b\",\"c\",\"d\"],\"max_tokens\":2}"
            let texts = try await server.ask("POST", "/v1/completions", prompts)
            #expect(try texts.status == 200 && texts.json["choices"]?.array?.count == 4)
        }
    }

    @Test("/slots lists which slots are busy and with which answer, in llama-server's format")
    func slots() async throws {
        try await TestServer.run(change: { $0.parallel = 2 }) { server in
            let permit = try server.server.core.admission.admit("somebody", answers: 1)
            defer { withExtendedLifetime(permit) {} }
            let slots = try await server.ask("GET", "/slots").json.array
            #expect(slots?.map { $0["id_task"] } == [0, -1])
            #expect(slots?.map { $0["is_processing"] } == [true, false])
            let token = slots?.first?["next_token"]?.array?.first
            #expect(token == ["has_next_token": true])
        }
    }

    @Test("an API key is required everywhere except for health checks")
    func keys() async throws {
        try await TestServer.run(change: { $0.keys = ["secret", "other"] }) { server in
            #expect(try await server.ask("GET", "/health").status == 200)
            for headers in [[], ["Authorization: Bearer secre"], ["Authorization: Bearer secrets"], ["X-Api-Key: "]] {
                let reply = try await server.ask("GET", "/v1/models", headers: headers)
                #expect(reply.status == 401)
                #expect(reply.head.contains("www-authenticate: bearer"))
            }
            for headers in ["Authorization: Bearer secret", "authorization: bearer other", "X-Api-Key: secret"] {
                #expect(try await server.ask("GET", "/v1/models", headers: [headers]).status == 200)
            }
        }
    }

    @Test("foreign origins and unknown Host names are refused, and allowed origins get CORS headers")
    func sites() async throws {
        try await TestServer.run(change: { $0.corsOrigins = ["https://friend.example"] }) { server in
            #expect(try await server.ask("GET", "/v1/models", headers: ["Host: evil.example"]).status == 403)
            #expect(
                try await server.ask("GET", "/v1/models", headers: ["Host: localhost:\(server.port)"]).status == 200)
            #expect(try await server.ask("GET", "/v1/models", headers: ["Origin: https://evil.example"]).status == 403)
            #expect(try await server.ask("GET", "/v1/models", headers: ["Origin: null"]).status == 403)
            let own = ["Host: localhost:\(server.port)", "Origin: http://localhost:\(server.port)"]
            #expect(try await server.ask("GET", "/v1/models", headers: own).status == 200)
            let friend = try await server.ask("GET", "/v1/models", headers: ["Origin: https://friend.example"])
            #expect(friend.status == 200)
            #expect(friend.head.contains("access-control-allow-origin: https://friend.example"))
            let preflight = try await server.ask("OPTIONS", "/v1/models", headers: ["Origin: https://friend.example"])
            #expect(preflight.status == 204)
            #expect(preflight.head.contains("access-control-max-age"))
        }
    }

    @Test("allowed origins may send their clients' headers, and read the response headers")
    func preflights() async throws {
        let origin = "Origin: https://friend.example"
        try await TestServer.run(change: { $0.corsOrigins = ["https://friend.example"] }) { server in
            let asked = "Access-Control-Request-Headers: x-stainless-os, X-Session-Id,b d,anthropic-version"
            let preflight = try await server.ask("OPTIONS", "/v1/messages", headers: [origin, asked])
            #expect(preflight.status == 204)
            #expect(preflight.head.contains("allow-headers: x-stainless-os, x-session-id, anthropic-version\r\n"))
            #expect(preflight.head.contains("access-control-allow-methods: get, post, delete, options"))
            let reply = try await server.ask("GET", "/v1/models", headers: [origin])
            let exposed = reply.head.components(separatedBy: "access-control-expose-headers: ").last ?? ""
            #expect(exposed.hasPrefix("x-request-id, request-id, x-leap-node"))
            let foreign = try await server.ask(
                "OPTIONS", "/v1/models", headers: ["Origin: https://evil.example", asked])
            #expect(foreign.status == 403 && !foreign.head.contains("access-control"))
        }
        #expect(AccessPolicy.allowedFields(nil).contains("x-api-key"))
        #expect(AccessPolicy.allowedFields(String(repeating: "a,", count: 10_000)).utf8.count < 4096)
    }

    @Test(
        "invalid requests are refused with the name of the field",
        arguments: [
            ("{", ""), ("[]", ""), ("{\"messages\":[]}", "messages"), ("{\"messages\":[1]}", "messages[0]"),
            ("{\"messages\":[{\"role\":1,\"content\":\"x\"}]}", "messages[0].role"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":5}]}", "messages[0].content"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"temperature\":-1}", "temperature"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"temperature\":1e999}", "temperature"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"n\":1.5}", "n"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"max_tokens\":\"5\"}", "max_tokens"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"functions\":[{}]}", "functions"),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stream_options\":{}}", "stream_options"),
            (
                "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"logprobs\":true,\"top_logprobs\":21}",
                "top_logprobs"
            ),
            ("{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"tool_choice\":\"required\"}", "tool_choice"),
        ])
    func refusals(body: String, param: String) async throws {
        try await TestServer.run { server in
            let reply = try await server.ask("POST", "/v1/chat/completions", body)
            #expect(reply.status == 400)
            #expect(try reply.error("param")?.string ?? "" == param)
            #expect(try reply.error("type") == "invalid_request_error")
        }
    }

    @Test("invalid JSON is refused: too deep, duplicate keys, lone surrogates")
    func hostileJSON() async throws {
        try await TestServer.run { server in
            let deep = String(repeating: "[", count: 100_000)
            let twice = "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"n\":1,\"n\":2}"
            for body in [deep, "{\"n\":NaN}", "{\"n\":1}x", twice] {
                let reply = try await server.ask("POST", "/v1/chat/completions", body)
                #expect(reply.status == 400)
            }
            for half in ["\\ud83d", "\\ud83dx", "\\ude00", "\\ud83d\\ud83d"] {
                let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"x\(half)\"}]}"
                let reply = try await server.ask("POST", "/v1/chat/completions", body)
                #expect(reply.status == 400)
                let message = "JSON 1:41: '\(half.prefix(6))' is an unpaired surrogate"
                #expect(try reply.error("message")?.string?.contains(message) == true)
            }
            let pair = "{\"messages\":[{\"role\":\"user\",\"content\":\"\\ud83d\\ude00\"}],\"max_tokens\":1}"
            #expect(try await server.ask("POST", "/v1/chat/completions", pair).status == 200)
        }
    }

    @Test("ollama's context continues a conversation when sent back")
    func context() async throws {
        try await TestServer.run { server in
            func ask(_ more: String = "") async throws -> JSONValue {
                let body = """
                    {"model":"\(TestServer.model)","prompt":"Hello!","stream":false,"think":false,\
                    "options":{"temperature":0,"num_predict":60}\(more)}
                    """
                return try await server.ask("POST", "/api/generate", body).json
            }
            func count(_ reply: JSONValue) throws -> Int {
                guard case .integer(let count)? = reply["prompt_eval_count"] else { throw CancellationError() }
                return count
            }
            let first = try await ask()
            let context = try #require(first["context"]?.array)
            #expect(first["response"] == "Hello! Ask me something that I know.")
            let again = try await ask(",\"context\":\(JSONValue.array(context).text())")
            // The BOS token is not repeated.
            #expect(try count(again) == context.count + count(first) - 1)
            let longer = try #require(again["context"]?.array)
            #expect(longer.count > context.count && Array(longer.prefix(context.count)) == context)
            #expect(try await ask(",\"raw\":true")["context"] == nil)
            let stranger = try await ask(",\"context\":[1,387]")
            #expect(stranger["error"]?.string?.contains("'context' contains token 387") == true)
        }
    }

    @Test("ollama's context ends with the token that ended the answer, even if it is not the model's EOS")
    func endOfContext() async throws {
        var file = try Data(contentsOf: URL(filePath: Fixture(name: TestServer.model).path))
        let key = try #require(file.range(of: Data("tokenizer.ggml.eos_token_id".utf8)))
        // After the key there are four bytes for the type, then the token. BOS is another special token.
        let other = try #require(file.range(of: Data("tokenizer.ggml.bos_token_id".utf8)))
        let usual = file[(key.upperBound + 4)..<(key.upperBound + 8)]
        let end = usual.enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
        let bos = file[(other.upperBound + 4)..<(other.upperBound + 8)]
        file.replaceSubrange((key.upperBound + 4)..<(key.upperBound + 8), with: Data(bos))
        let folder = try TemporaryFolder()
        let path = folder.path("\(TestServer.model).gguf")
        try file.write(to: URL(filePath: path))
        try await TestServer.run([path]) { server in
            let body = """
                {"model":"\(TestServer.model)","prompt":"Hello!","stream":false,"think":false,\
                "options":{"temperature":0,"num_predict":60}}
                """
            let reply = try await server.ask("POST", "/api/generate", body).json
            #expect(reply["response"] == "Hello! Ask me something that I know." && reply["done_reason"] == "stop")
            #expect(reply["context"]?.array?.last == .integer(end))
        }
    }

    @Test("vision is listed among a model's capabilities before it is loaded")
    func visionCapability() async throws {
        let projector = Fixture.folder.appending(path: "vision/mmproj-lfm2-vl-chat-q8_0.gguf").path
        try await TestServer.run(projector: projector) { server in
            let body = "{\"model\":\"\(TestServer.model)\"}"
            let shown = try await server.ask("POST", "/api/show", body).json["capabilities"]?.array
            #expect(shown?.contains("vision") == true && shown?.contains("completion") == true)
            let listed = try await server.ask("GET", "/v1/models").json["data"]?.array?.first
            #expect(listed?["capabilities"]?.array == shown)
        }
        try await TestServer.run { server in
            let body = "{\"model\":\"\(TestServer.model)\"}"
            let shown = try await server.ask("POST", "/api/show", body).json["capabilities"]?.array
            #expect(shown?.contains("vision") == false)
        }
    }

    @Test("/apply-template ends with a generation prompt, or after the last message on request")
    func prompts() async throws {
        try await TestServer.run { server in
            func prompt(_ more: String) async throws -> String? {
                let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]\(more)}"
                return try await server.ask("POST", "/apply-template", body).json["prompt"]?.string
            }
            let (begun, ended) = (try await prompt(""), try await prompt(",\"add_generation_prompt\":false"))
            let whole = try #require(begun)
            let head = try #require(ended)
            #expect(whole.hasPrefix(head) && whole.count > head.count)
            #expect(whole.dropFirst(head.count).contains("assistant"))
        }
    }

    @Test("wrong methods get 405 with Allow, and unknown paths and models get 404")
    func addresses() async throws {
        try await TestServer.run { server in
            let wrong = try await server.ask("GET", "/v1/chat/completions")
            #expect(wrong.status == 405)
            #expect(wrong.head.contains("allow: post\r\n"))
            #expect(try await server.ask("POST", "/v1/models").head.contains("allow: get, head\r\n"))
            #expect(try await server.ask("GET", "/v1/nowhere").status == 404)
            #expect(try await server.ask("GET", "/v1/models/nobody").status == 404)
            #expect(try await server.ask("GET", "/v1/models/\(TestServer.model):latest").status == 200)
        }
    }

    @Test("with ignore_eos, an answer runs to its token limit")
    func endless() async throws {
        try await TestServer.run { server in
            func ask(_ more: String) async throws -> JSONValue? {
                let body = "{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}],\"max_tokens\":60\(more)}"
                let reply = try await server.ask("POST", "/v1/chat/completions", body)
                return try reply.json["choices"]?.array?.first?["finish_reason"]
            }
            let reasons = [try await ask(""), try await ask(",\"ignore_eos\":true")]
            #expect(reasons == ["stop", "length"])
        }
    }

    @Test("with ignore_eos, a constrained answer ends only where nothing else may follow")
    func endlessInConstraint() async throws {
        try await TestServer.run { server in
            func ask(_ grammar: String, seed: Int) async throws -> JSONValue {
                let fields: JSONValue = [
                    "prompt": "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n", "n_predict": 60,
                    "ignore_eos": true, "temperature": 1, "seed": .integer(seed), "grammar": .string(grammar),
                ]
                return try await server.ask("POST", "/completion", fields.text()).json
            }
            for seed in 0..<3 {
                let open = try await ask("root ::= [a-zA-Z ,.!?']+", seed: seed)
                #expect(open["stop_type"] == "limit" && open["tokens_predicted"] == 60, "\(open.text())")
                let closed = try await ask(#"root ::= "yes" | "no""#, seed: seed)
                #expect(closed["stop_type"] == "eos", "\(closed.text())")
            }
        }
    }

    @Test("clients with isolated caches do not share cached prompts")
    func isolatedCaches() async throws {
        let change: @Sendable (inout ServerConfiguration) -> Void = {
            ($0.isolatesCaches, $0.keys) = (true, ["a", "b"])
        }
        try await TestServer.run(change: change) { server in
            let text = String(repeating: "word and word ", count: 40)
            let body = "{\"prompt\":\"\(text)\",\"max_tokens\":2}"
            func cached(_ key: String) async throws -> JSONValue? {
                let reply = try await server.ask(
                    "POST", "/v1/completions", body, headers: ["Authorization: Bearer \(key)"])
                return try reply.json["usage"]?["prompt_tokens_details"]?["cached_tokens"]
            }
            let counts = [try await cached("a"), try await cached("a"), try await cached("b")]
            #expect(counts[0] == 0 && counts[1] != 0 && counts[2] == 0)
        }
    }

    @Test("with one slot, a second answer waits for the first")
    func parallelAnswers() async throws {
        let model = try EndlessModel()
        try await TestServer.run([model.path], change: { $0.parallel = 1 }) { server in
            // Whole replies, because a streamed answer that pauses for its reader would let the other continue.
            let question = EndlessModel.question(tokens: 2_000, streams: false)
            let begin = ContinuousClock.now
            async let first = server.ask("POST", "/v1/chat/completions", question)
            async let second = server.ask("POST", "/v1/chat/completions", question)
            let times = try await [first, second].map {
                try #require(try $0.json["timings"]?["predicted_ms"]?.double)
            }
            // Answers side by side would take about this time each.
            let elapsed = (ContinuousClock.now - begin) / .milliseconds(1)
            #expect(times.allSatisfy { $0 > 0 } && times[0] + times[1] <= elapsed)
        }
    }

    @Test("a server that shuts down finishes running answers and accepts no connections afterwards")
    func draining() async throws {
        let model = try EndlessModel()
        try await TestServer.run([model.path]) { server in
            let client = try server.connect()
            let body = EndlessModel.question(tokens: 2_000, streams: true)
            try client.send(TestServer.request("POST", "/v1/chat/completions", body))
            let beginning = try await client.read(until: "\"content\":\"")
            async let end: Void = server.server.shutDown()
            let rest = try await client.read()
            #expect((beginning + rest).contains("[DONE]"))
            await end
            #expect(throws: (any Error).self) { try server.connect() }
        }
    }

    @Test("at shutdown, queued requests are refused, and running answers end with an error after the drain time")
    func drainingInTime() async throws {
        let model = try EndlessModel()
        try await TestServer.run([model.path], change: { ($0.parallel, $0.drain) = (2, .seconds(3)) }) { server in
            let (whole, stream, queued) = (try server.connect(), try server.connect(), try server.connect())
            func ask(_ client: RawClient, streams: Bool) throws {
                let body = EndlessModel.question(streams: streams)
                try client.send(
                    TestServer.request("POST", "/v1/chat/completions", body, headers: ["Connection: close"]))
            }
            try ask(whole, streams: false)
            try await eventually { server.server.answersInFlight == 1 }
            try ask(stream, streams: true)
            // The chunk with the role, whose content is empty, comes before the answer has begun.
            let beginning = try await stream.read(until: "\"delta\":{\"content\":\"")
            try ask(queued, streams: false)
            try await eventually { server.server.answersInFlight == 3 }
            async let end: Void = server.server.shutDown()
            let refused = try await queued.reply()
            #expect(refused.status == 503)
            #expect(try refused.error("code") == "draining")
            #expect(server.server.answersInFlight == 2)
            let cut = try await whole.reply()
            #expect(cut.status == 503 && cut.head.contains("retry-after:"))
            #expect(try cut.error("code") == "draining")
            let rest = beginning + (try await stream.read())
            #expect(rest.contains("data: {\"error\":{") && rest.contains("\"draining\""))
            #expect(!rest.contains("[DONE]") && rest.hasSuffix("0\r\n\r\n"))
            await end
        }
    }

    @Test("a model's file path is accepted as its name, but not listed")
    func paths() async throws {
        try await TestServer.run(change: {
            $0.models[0].aliases = ["small"]
            $0.models[0].unlistedAliases = [$0.models[0].path]
        }) { server in
            let path = Fixture(name: TestServer.model).path
            let list = try await server.ask("GET", "/v1/models")
            #expect(try list.json["data"]?.array?.first?["aliases"] == ["small"])
            #expect(!list.body.contains(path))
            for name in ["small", path] {
                let reply = try await server.ask(
                    "POST", "/v1/completions", "{\"model\":\"\(name)\",\"prompt\":\"x\",\"max_tokens\":1}")
                #expect(reply.status == 200)
            }
        }
    }

    @Test("the cause of an internal failure is logged, but not sent to the client")
    func loggedCauses() async throws {
        struct Fault: Error, CustomStringConvertible {
            let description = "the disk is broken"
        }
        let error = APIError(engine: Fault())
        #expect(error.cause == "the disk is broken")
        #expect(!error.openAIDocument.text().contains("disk"))
        let log = LinesLog()
        try await TestServer.run(logger: Logger(label: "test") { _ in log }) { server in
            let exchange = Exchange(
                id: "req_1", method: .post, path: "/v1/completions", query: "", host: nil, headers: [:], body: [])
            server.server.core.recordFailure(error, exchange)
        }
        #expect(log.lines == ["a request failed error=the disk is broken id=req_1 path=/v1/completions"])
    }

    @Test("a server that is draining still listens, and reports it")
    func reportsDraining() async throws {
        try await TestServer.run { server in
            var permit: AdmissionControl.Permit? = try server.server.core.admission.admit("somebody", answers: 1)
            async let end: Void = server.server.shutDown()
            try await eventually { server.server.core.isDraining }
            let health = try await server.ask("GET", "/health")
            #expect(health.status == 503)
            let models = try await server.ask("GET", "/v1/models")
            #expect(models.body.contains("draining"))
            #expect(permit != nil)
            permit = nil
            await end
        }
    }

    @Test("token ids outside the vocabulary and prompts that are too long are refused with the field")
    func strangeTokens() async throws {
        try await TestServer.run { server in
            for prompt in ["[1000000000]", "\"" + String(repeating: "sea ", count: 5000) + "\""] {
                let reply = try await server.ask("POST", "/v1/completions", "{\"prompt\":\(prompt),\"max_tokens\":1}")
                #expect(reply.status == 400)
                #expect(try reply.error("param") == "prompt")
            }
        }
    }

    @Test("function names follow OpenAI's rules")
    func functionNames() throws {
        for (name, isRight) in [("a-b_C1", true), ("a.b", false), (String(repeating: "x", count: 65), false)] {
            let tool: JSONValue = ["type": "function", "function": ["name": .string(name)]]
            let reader = try? ToolReader(definitions: [tool], choice: nil)
            #expect((reader != nil) == isRight)
        }
    }

    @Test("with little memory, models are loaded on demand, one at a time")
    func models() async throws {
        let names = ["lfm2-tied-f32", "lfm2-untied-f16", "llama-q4_k"]
        let paths = names.map { Fixture(name: $0).path }
        try await TestServer.run(paths, change: { $0.maxMemory = 1 }) { server in
            for name in names {
                let body = "{\"model\":\"\(name)\",\"prompt\":[1,2,3],\"max_tokens\":1}"
                #expect(try await server.ask("POST", "/v1/completions", body).status == 200)
                let models = try await server.ask("GET", "/v1/models").json["data"]?.array ?? []
                #expect(models.filter { $0["status"]?["value"] == "ready" }.compactMap { $0["id"]?.string } == [name])
            }
        }
    }

    @Test("a server whose model is being loaded is healthy, since requests wait for it")
    func healthWhileLoading() async throws {
        let meeting = Meeting()
        try await TestServer.run(loading: meeting) { server in
            async let answer = server.ask("POST", "/completion", #"{"prompt":"Once","n_predict":1}"#)
            try await eventually { meeting.count == 1 }
            #expect(try await server.ask("GET", "/health").status == 200)
            meeting.end()
            #expect(try await answer.status == 200)
        }
    }

    @Test("a model beyond the memory limit is loaded with a warning")
    func excessiveModel() async throws {
        let log = LinesLog()
        let logger = Logger(label: "test") { _ in log }
        func loads(_ memory: Int) async throws {
            let path = Fixture(name: "llama-q4_k").path
            try await TestServer.run([path], logger: logger, change: { $0.maxMemory = memory }) { server in
                let reply = try await server.ask("POST", "/v1/completions", "{\"prompt\":[1,2,3],\"max_tokens\":1}")
                #expect(reply.status == 200)
            }
        }
        try await loads(1 << 30)
        #expect(!log.lines.contains { $0.contains("memory limit") })
        try await loads(1024)
        #expect(log.lines.count { $0.contains("the loaded models exceed the memory limit") } == 1)
    }

    @Test("an address that another program uses, and one that cannot be used, are told apart")
    func unusableAddresses() async throws {
        @Sendable func failure(_ address: ServerConfiguration.Address) async -> ListeningError? {
            var configuration = ServerConfiguration()
            configuration.address = address
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let server = Server(configuration, compute: Compute(threads: 1), logger: logger) { path, _ in
                ModelOptions(path: path)
            }
            // Where systems permit to listen on any address, the server would do so for ever.
            do { try await server.run { _ in Task { await server.shutDown() } } } catch {
                return error as? ListeningError
            }
            return nil
        }
        try await TestServer.run([Fixture(name: TestServer.model).path]) { server in
            #expect(await failure(.tcp(host: "127.0.0.1", port: Int(server.port))) == .addressInUse)
        }
        #expect(await failure(.tcp(host: "203.0.113.1", port: 0)) == .system(EADDRNOTAVAIL))
        #expect(await failure(.unix(path: "/" + String(repeating: "x", count: 200))) == .pathTooLong)
        let description = "\(ListeningError.system(EADDRNOTAVAIL))"
        #expect(description.hasSuffix(" assign requested address") || description == "Address not available")
        #expect("\(ListeningError.addressInUse)" == "another program uses this address")
    }

    @Test("/props describes the requested model, or the first one")
    func properties() async throws {
        let names = ["lfm2-chat-q8_0", "llama-q4_k"]
        try await TestServer.run(names.map { Fixture(name: $0).path }) { server in
            for (query, name) in [("", names[0]), ("?model=llama%2Dq4_k&x", names[1]), ("?x=1", names[0])] {
                let props = try await server.ask("GET", "/props" + query).json
                #expect(props["model_alias"]?.string == name)
                #expect(props["modalities"]?["vision"] == false)
            }
            #expect(try await server.ask("GET", "/props?model=nobody").status == 404)
        }
    }

    @Test("a model that cannot be loaded fails its own requests only, without revealing its path")
    func brokenModels() async throws {
        let folder = try TemporaryFolder()
        let broken = try folder.write("broken.gguf", "GGUF and no more")
        try await TestServer.run([Fixture(name: TestServer.model).path, broken]) { server in
            let reply = try await server.ask("POST", "/v1/completions", "{\"model\":\"broken\",\"prompt\":\"x\"}")
            #expect(reply.status == 503)
            #expect(!reply.body.contains(folder.url.path))
            #expect(
                try await server.ask("POST", "/v1/completions", "{\"prompt\":\"x\",\"max_tokens\":1}").status == 200)
        }
    }
}
#endif
