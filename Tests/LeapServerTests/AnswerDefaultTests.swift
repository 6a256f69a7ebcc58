#if Server
import LeapChat
import LeapEngine
import LeapGeneration
import LeapJSON
import Testing
import _LeapTestSupport

@testable import LeapServer

/// What answers are like if requests do not say.
@Suite("Defaults of answers")
struct AnswerDefaultTests {
    private static func run(
        _ change: @Sendable (inout AnswerDefaults) -> Void, _ body: @Sendable (TestServer) async throws -> Void
    ) async throws {
        var defaults = AnswerDefaults()
        change(&defaults)
        try await TestServer.run(change: { $0.models[0].defaults = defaults }, body)
    }

    @Test(
        "the length of answers is limited unless the request limits it",
        arguments: [
            ("/v1/chat/completions", #""messages":[{"role":"user","content":"Hi"}]"#, #""max_tokens":5"#),
            ("/completion", #""prompt":"Once","ignore_eos":true"#, #""n_predict":5"#),
            ("/v1/completions", #""prompt":"Once","ignore_eos":true"#, #""max_tokens":5"#),
            ("/v1/responses", #""input":"Hi""#, #""max_output_tokens":5"#),
            ("/api/generate", #""prompt":"Hi","stream":false"#, #""options":{"num_predict":5}"#),
        ])
    func length(path: String, subject: String, limit: String) async throws {
        try await Self.run({ $0.maxTokens = 3 }) { server in
            func count(_ more: String) async throws -> Int? {
                let body = #"{"model":"\#(TestServer.model)",\#(subject)\#(more)}"#
                let reply = try await server.ask("POST", path, body)
                #expect(reply.status == 200, "\(reply)")
                let json = try reply.json
                let counts = [
                    json["usage"]?["completion_tokens"], json["usage"]?["output_tokens"], json["eval_count"],
                    json["tokens_predicted"],
                ]
                return counts.compactMap { $0?.wholeNumber }.first
            }
            let usual = try await count("")
            #expect(usual == 3)
            let own = try await count("," + limit)
            #expect(own == 5)
        }
    }

    @Test("a completion of OpenAI's has 16 tokens if neither the request nor the server says")
    func completionLength() async throws {
        try await Self.run({ _ in }) { server in
            let body = #"{"model":"\#(TestServer.model)","prompt":"Once","ignore_eos":true}"#
            let reply = try await server.ask("POST", "/v1/completions", body)
            #expect(try reply.json["usage"]?["completion_tokens"] == 16)
        }
    }

    @Test("sampling and the seed are the server's unless the request's")
    func sampling() async throws {
        try await Self.run({
            $0.seed = 7
            $0.sampling.temperature = 2
            $0.sampling.topK = 0
            ($0.sampling.topP, $0.sampling.minP) = (1, 0)
        }) { server in
            func text(_ more: String = "") async throws -> String? {
                let body = #"{"prompt":"Once","n_predict":12,"ignore_eos":true\#(more)}"#
                return try await server.ask("POST", "/completion", body).json["content"]?.string
            }
            let usual = try await text()
            #expect(try await text() == usual)
            #expect(try await text(#","seed":8"#) != usual)
            #expect(try await text(#","temperature":0"#) != usual)
        }
    }

    @Test("the settings are reported under llama-server's names, and changes under ollama's")
    func props() async throws {
        try await Self.run({
            $0.sampling.temperature = 0.3
            $0.sampling.topK = 20
            $0.sampling.penaltyWindow = .max
            $0.maxTokens = 9
        }) { server in
            let settings = try await server.ask("GET", "/props").json["default_generation_settings"]
            #expect(settings?["n_ctx"]?.wholeNumber != nil)
            let parameters = settings?["params"]
            #expect(parameters?["temperature"] == 0.3 && parameters?["top_k"] == 20)
            let shown = try await server.ask("POST", "/api/show", #"{"model":"\#(TestServer.model)"}"#)
            #expect(
                try shown.json["parameters"] == "temperature 0.3\ntop_k 20\nrepeat_last_n -1\nnum_predict 9", "\(shown)"
            )
            #expect(parameters?["repeat_last_n"] == -1 && parameters?["max_tokens"] == 9 && parameters?["seed"] == -1)
        }
    }

    @Test("variables of the template reach rendered, counted and answered prompts, and a request's own come first")
    func variables() async throws {
        let template = "{{ mood }} {% for m in messages %}{{ m.content }} {% endfor %}{{ enable_thinking }}:"
        var defaults = AnswerDefaults()
        defaults.templateVariables = ["mood": "calm", "enable_thinking": true]
        let set = defaults
        try await TestServer.run(change: { ($0.models[0].defaults, $0.models[0].chatTemplate) = (set, template) }) {
            server in
            func prompt(_ more: String = "") async throws -> String? {
                let body = #"{"messages":[{"role":"user","content":"Hi"}]\#(more)}"#
                return try await server.ask("POST", "/apply-template", body).json["prompt"]?.string
            }
            #expect(try await prompt()?.hasSuffix("calm Hi True:") == true)
            let own = #","chat_template_kwargs":{"mood":"glad","enable_thinking":false}"#
            #expect(try await prompt(own)?.hasSuffix("glad Hi False:") == true)
            #expect(try await prompt(#","reasoning_effort":"none""#)?.hasSuffix("calm Hi False:") == true)
            let messages = #""messages":[{"role":"user","content":"Hi"}]"#
            let counted = try await server.ask("POST", "/v1/messages/count_tokens", "{\(messages)}")
            let answered = try await server.ask("POST", "/v1/messages", "{\(messages),\"max_tokens\":1}")
            #expect(try counted.json["input_tokens"] == answered.json["usage"]?["input_tokens"])
        }
    }

    @Test("a request's wish to think counts more than the server's")
    func thinking() {
        var defaults = AnswerDefaults()
        (defaults.thinks, defaults.thinkingBudget) = (false, 10)
        func completed(_ change: (inout ChatRequest) -> Void = { _ in }) -> ChatRequest {
            var chat = ChatRequest([], AnswerOptions())
            change(&chat)
            return defaults.complete(chat)
        }
        #expect(completed().thinks == false && completed().options.thinkingBudget == 10)
        #expect(completed { $0.thinks = true }.thinks == true)
        #expect(completed { $0.options.thinkingBudget = 3 }.options.thinkingBudget == 3)
        #expect(completed().options.inlinesThoughts == false)
        defaults.inlinesThoughts = true
        #expect(completed().options.inlinesThoughts == true)
        #expect(completed { $0.options.inlinesThoughts = false }.options.inlinesThoughts == false)
    }

    @Test("a request turns off a penalty of the server's with 0")
    func off() throws {
        var defaults = AnswerDefaults()
        defaults.sampling.dry = DRYSettings(multiplier: 1)
        let fields = try FieldReader(try JSONValue(parsing: #"{"dry_multiplier":0}"#), path: "")
        let job = AnswerJob(subject: .text("", try GenerationFields.options(fields)))
        guard case .text(_, let options) = defaults.complete(job).subject else { return }
        #expect(options.sampling.dry?.multiplier == 0)
    }
}
#endif
