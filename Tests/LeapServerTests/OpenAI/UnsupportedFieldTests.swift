import LeapEngine
import LeapGeneration
import LeapJSON
import Testing

@testable import LeapServer

/// Request fields of llama-server, vLLM and other APIs.
@Suite("Fields of other servers")
struct UnsupportedFieldTests {
    private static func fields(_ json: String) throws -> FieldReader {
        FieldReader(try #require(try JSONValue(parsing: json).object))
    }

    private static func chat(_ more: String) throws -> ChatRequest {
        let json = "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}]\(more)}"
        guard case .chat(let chat) = try ChatCompletionRequest(fields(json)).job.subject else {
            throw CancellationError()
        }
        return chat
    }

    /// The `param` of the error that a request is refused with.
    private static func blamed(_ read: () throws -> Void) -> String? {
        do { try read() } catch { return (error as? APIError)?.param }
        return nil
    }

    /// Values without effect, as sent by clients that always send all fields.
    private static let idle = """
        "n_probs": 0, "post_sampling_probs": false, "timings_per_token": false, "return_progress": false, \
        "return_tokens": false, "response_fields": [], "t_max_predict_ms": -1, "samplers": null, "dynatemp_range": 0.0, \
        "min_keep": 0, "n_keep": 0, "n_cmpl": 1, "stop_token_ids": [], "min_tokens": 0, "guided_json": null, \
        "mirostat": 0, "mirostat_tau": 5.0, "mirostat_eta": 0.1, "top_n_sigma": -1.0, "dry_multiplier": 0.0, \
        "dry_penalty_last_n": -1, "dry_sequence_breakers": ["\\n"], "top_k": -1, "dynatemp_exponent": 1.0, "id_slot": -1, \
        "bad_words": [], "allowed_token_ids": null, "use_beam_search": false, "include_stop_str_in_output": false, \
        "no_stop_trim": false, "stop_regex": null, "return_token_ids": false, "include_reasoning": true, \
        "separate_reasoning": true, "truncate_prompt_tokens": null, "chat_template": null
        """

    @Test("fields with values that have no effect are accepted in all APIs")
    func idleValues() throws {
        let chat = try Self.chat(", " + Self.idle)
        #expect(chat.options.sampling.topK == 0)
        #expect(chat.options.sampling.mirostat == nil && chat.options.sampling.dry?.multiplier == 0)
        _ = try CompletionRequest(
            Self.fields("{\"prompt\": \"a\", \"response_format\": {\"type\": \"text\"}, \(Self.idle)}"))
        _ = try LlamaCompletionRequest.completion(
            Self.fields("{\"prompt\": \"a\", \"image_data\": [], \"n\": 1, \(Self.idle)}"))
        _ = try ResponsesRequest(Self.fields("{\"input\": \"a\", \"max_tokens\": null, \(Self.idle)}"))
    }

    @Test(
        "false as a bias forbids a token, whatever its logit",
        arguments: ["[[5, false], [6, 2]]", "{\"5\": false, \"6\": 2}"])
    func forbiddenToken(biases: String) throws {
        #expect(try Self.chat(", \"logit_bias\": \(biases)").options.sampling.logitBias == [5: -.infinity, 6: 2])
        #expect(Self.blamed { _ = try Self.chat(", \"logit_bias\": [[5, true]]") } == "logit_bias.5")
    }

    @Test(
        "unsupported fields that would change the answer are refused by name",
        arguments: [
            "\"n_probs\": 2", "\"post_sampling_probs\": true", "\"timings_per_token\": true",
            "\"return_progress\": true", "\"return_tokens\": true", "\"response_fields\": [\"content\"]",
            "\"t_max_predict_ms\": 100", "\"samplers\": [\"top_k\"]", "\"dynatemp_range\": 0.5", "\"min_keep\": 2",
            "\"n_keep\": 4", "\"n_cmpl\": 2", "\"stop_token_ids\": [7]", "\"min_tokens\": 4",
            "\"mirostat\": 3", "\"top_n_sigma\": \"1\"", "\"dry_penalty_last_n\": -2",
            "\"dry_sequence_breakers\": [1]", "\"bad_words\": [\"12\"]", "\"allowed_token_ids\": [5]",
            "\"use_beam_search\": true", "\"truncate_prompt_tokens\": 5", "\"prompt_logprobs\": 1",
            "\"include_stop_str_in_output\": true", "\"no_stop_trim\": true", "\"stop_regex\": \"1\"",
            "\"return_token_ids\": true", "\"return_tokens_as_token_ids\": true", "\"chat_template\": \"x\"",
            "\"structural_tag\": \"{}\"", "\"include_reasoning\": false", "\"separate_reasoning\": false",
        ])
    func refusals(_ member: String) {
        let name = member.split(separator: "\"").first.map(String.init)
        #expect(Self.blamed { _ = try Self.chat(", " + member) } == name)
        #expect(Self.blamed { _ = try CompletionRequest(Self.fields("{\"prompt\": \"a\", \(member)}")) } == name)
        #expect(Self.blamed { _ = try ResponsesRequest(Self.fields("{\"input\": \"a\", \(member)}")) } == name)
        // llama-server's own endpoint returns tokens.
        guard name != "n_probs", name != "return_tokens" else { return }
        #expect(
            Self.blamed { _ = try LlamaCompletionRequest.completion(Self.fields("{\"prompt\": \"a\", \(member)}")) }
                == name)
    }

    @Test(
        "other dialects' fields for lengths, stop strings and formats are refused by name",
        arguments: [
            ("\"num_predict\": 5", true), ("\"max_output_tokens\": 5", true), ("\"stop_sequences\": [\"a\"]", true),
            ("\"format\": \"json\"", true),
            ("\"max_tokens\": 5", false), ("\"n_predict\": 5", false), ("\"stop\": [\"a\"]", false),
            ("\"response_format\": {\"type\": \"json_object\"}", false),
        ])
    func otherDialects(_ member: String, _ isUnknownToOpenAI: Bool) throws {
        let name = member.split(separator: "\"").first.map(String.init)
        let isOllamas = name == "format"
        let isAnthropics = ["max_tokens", "stop_sequences"].contains(name)
        let rest = "\"model\": \"m\", \"messages\": [{\"role\": \"user\", \"content\": \"a\"}], \(member)"
        #expect(Self.blamed { _ = try Self.chat(", " + member) } == (isUnknownToOpenAI ? name : nil))
        #expect(Self.blamed { _ = try OllamaRequest.chat(Self.fields("{\(rest)}")) } == (isOllamas ? nil : name))
        guard !isAnthropics else { return }
        #expect(Self.blamed { _ = try MessagesRequest(Self.fields("{\"max_tokens\": 9, \(rest)}")) } == name)
    }

    @Test("the Responses API's object for reasoning sets the effort in chats too")
    func reasoning() throws {
        let deep = try Self.chat(", \"reasoning\": {\"effort\": \"high\", \"exclude\": false}")
        #expect(deep.thinks == true && deep.templateVariables["reasoning_effort"] == "high")
        #expect(try Self.chat(", \"reasoning\": {\"effort\": \"none\"}").thinks == false)
        let both = try Self.chat(", \"reasoning\": {\"effort\": \"high\"}, \"reasoning_effort\": \"none\"")
        #expect(both.thinks == false && both.templateVariables["reasoning_effort"] == nil)
        for (members, name) in [
            ("\"effort\": \"bogus\"", "reasoning.effort"), ("\"max_tokens\": 5", "reasoning.max_tokens"),
            ("\"enabled\": true", "reasoning.enabled"), ("\"exclude\": true", "reasoning.exclude"),
        ] {
            #expect(Self.blamed { _ = try Self.chat(", \"reasoning\": {\(members)}") } == name)
            let response = "{\"input\": \"a\", \"reasoning\": {\(members)}}"
            #expect(Self.blamed { _ = try ResponsesRequest(Self.fields(response)) } == name)
        }
    }

    @Test("a least number of tokens is accepted where only the limit ends an answer")
    func minTokens() throws {
        #expect(try Self.chat(", \"ignore_eos\": true, \"min_tokens\": 8").options.ignoresEnd)
        #expect(
            Self.blamed { _ = try Self.chat(", \"ignore_eos\": true, \"min_tokens\": 8, \"stop\": \"a\"") }
                == "min_tokens")
    }

    @Test("aliases are accepted, and sampling fields configure the sampler")
    func aliases() throws {
        #expect(try Self.chat(", \"n_predict\": 7").options.maxTokens == 7)
        #expect(try Self.chat(", \"n_predict\": -1").options.maxTokens == nil)
        #expect(try Self.chat(", \"thinking_token_budget\": 9").options.thinkingBudget == 9)
        #expect(try Self.chat(", \"documents\": [\"a\"]").templateVariables["documents"] == ["a"])
        #expect(try Self.chat(", \"n_predict\": 7, \"max_tokens\": 5").options.maxTokens == 5)
        #expect(Self.blamed { _ = try Self.chat(", \"n_predict\": 0") } == "n_predict")
        #expect(Self.blamed { _ = try Self.chat(", \"max_tokens\": 5, \"n_predict\": 0") } == "n_predict")
        #expect(try Self.chat(", \"repetition_penalty\": 1.5").options.sampling.repetitionPenalty == 1.5)
        let sampling = try Self.chat(
            """
            , "mirostat": 2, "mirostat_tau": 3, "top_n_sigma": 1.5, "dry_multiplier": 0.5, "dry_penalty_last_n": 64,
            "dry_sequence_breakers": ["a"]
            """
        ).options.sampling
        #expect(sampling.mirostat == MirostatSettings(version: .v2, target: 3))
        #expect(sampling.topNSigma == 1.5)
        #expect(sampling.dry == DRYSettings(multiplier: 0.5, window: 64))
        #expect(sampling.sequenceBreakers == ["a"])
    }

    @Test(
        "fields of another API are refused with the name of the right one",
        arguments: [
            ("completions", "\"response_format\": {\"type\": \"json_object\"}", "json_schema"),
            ("completions", "\"max_completion_tokens\": 5", "max_tokens"),
            ("completions", "\"n_predict\": 5", "max_tokens"),
            ("responses", "\"response_format\": {\"type\": \"json_object\"}", "text.format"),
            ("responses", "\"max_tokens\": 5", "max_output_tokens"),
            ("responses", "\"max_completion_tokens\": 5", "max_output_tokens"),
            ("completion", "\"response_format\": {\"type\": \"json_object\"}", "json_schema"),
            ("completion", "\"max_tokens\": 5", "n_predict"),
            ("messages", "\"output_format\": {\"type\": \"json_schema\"}", "output_config.format"),
            ("messages", "\"response_format\": {\"type\": \"json_object\"}", "output_config.format"),
            ("messages", "\"seed\": 5", "/v1/chat/completions"),
            ("chat", "\"think\": true", "reasoning_effort"), ("chat", "\"thinking\": {}", "reasoning_effort"),
            ("chat", "\"enable_thinking\": false", "reasoning_effort"),
            ("responses", "\"reasoning_effort\": \"high\"", "reasoning.effort"),
            ("messages", "\"reasoning_effort\": \"high\"", "thinking"),
            ("ollama", "\"reasoning_effort\": \"high\"", "think"), ("ollama", "\"reasoning\": {}", "think"),
        ])
    func dialects(_ dialect: String, _ member: String, _ hint: String) throws {
        let name = member.split(separator: "\"").first.map(String.init)
        let error = #expect(throws: APIError.self) {
            switch dialect {
            case "completions": _ = try CompletionRequest(Self.fields("{\"prompt\": \"a\", \(member)}"))
            case "responses": _ = try ResponsesRequest(Self.fields("{\"input\": \"a\", \(member)}"))
            case "completion":
                _ = try LlamaCompletionRequest.completion(Self.fields("{\"prompt\": \"a\", \(member)}"))
            case "chat": _ = try Self.chat(", " + member)
            case "ollama":
                let message = "\"model\": \"m\", \"messages\": [{\"role\": \"user\", \"content\": \"a\"}]"
                _ = try OllamaRequest.chat(Self.fields("{\(message), \(member)}"))
            default: _ = try MessagesRequest(Self.fields("{\(Self.message), \(member)}"))
            }
        }
        #expect(error?.param == name)
        #expect(error?.message.contains(hint) == true)
    }

    @Test(
        "conflicting constraints are refused",
        arguments: [
            ("\"grammar\": \"root ::= [a]\", \"json_schema\": {}", "grammar"),
            ("\"grammar\": \"root ::= [a]\", \"response_format\": {\"type\": \"json_object\"}", "response_format"),
            ("\"json_schema\": {}, \"response_format\": {\"type\": \"json_object\"}", "response_format"),
        ])
    func constraints(_ members: String, _ name: String) throws {
        #expect(Self.blamed { _ = try Self.chat(", " + members) } == name)
        _ = try Self.chat(", " + members.replacing("json_object", with: "text").replacing("root ::= [a]", with: ""))
    }

    @Test("conflicting constraints in Responses and ollama requests are refused too")
    func otherConstraints() {
        let format = "\"text\": {\"format\": {\"type\": \"json_object\"}}, \"json_schema\": {}"
        #expect(Self.blamed { _ = try ResponsesRequest(Self.fields("{\"input\": \"a\", \(format)}")) } == "text.format")
        let ollama = "{\"model\": \"m\", \"prompt\": \"a\", \"format\": \"json\", \"options\": {\"json_schema\": {}}}"
        #expect(Self.blamed { _ = try OllamaRequest.prompt(Self.fields(ollama)) } == "format")
    }

    @Test("unknown values of reasoning_format and include_usage are refused")
    func unknownValues() throws {
        for word in ["none", "auto", "deepseek"] { _ = try Self.chat(", \"reasoning_format\": \"\(word)\"") }
        #expect(Self.blamed { _ = try Self.chat(", \"reasoning_format\": \"foo\"") } == "reasoning_format")
        let stream = "{\"prompt\": \"a\", \"stream\": true, \"stream_options\": {\"include_usage\": "
        #expect(
            Self.blamed { _ = try CompletionRequest(Self.fields(stream + "\"yes\"}}")) }
                == "stream_options.include_usage")
        #expect(try CompletionRequest(Self.fields(stream + "true}}")).includesUsage)
    }

    @Test("tool results may lack a call id or content parts")
    func results() throws {
        for result in ["\"content\": \"b\"", "\"tool_call_id\": \"c\", \"content\": []"] {
            let json = "{\"messages\": [{\"role\": \"user\", \"content\": \"a\"}, {\"role\": \"tool\", \(result)}]}"
            _ = try ChatCompletionRequest(Self.fields(json))
        }
    }

    private static let message = "\"max_tokens\": 1, \"messages\": [{\"role\": \"user\", \"content\": \"a\"}]"

    @Test("context_management may clear old reasoning, but not tool results")
    func management() throws {
        func request(_ edits: String) throws {
            _ = try MessagesRequest(Self.fields("{\(Self.message), \"context_management\": {\"edits\": [\(edits)]}}"))
        }
        try request("")
        try request("{\"type\": \"clear_thinking_20251015\", \"keep\": \"all\"}")
        let name = "context_management.edits[0]"
        #expect(Self.blamed { try request("{\"type\": \"clear_tool_uses_20250919\"}") } == name)
        #expect(Self.blamed { try request("5") } == name)
    }
}
