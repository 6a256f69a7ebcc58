/// What figures are called: as here, and as the dashboards of others know them.
public enum MetricsNames: String, Sendable, Hashable, CaseIterable {
    case leap
    case llamaServer = "llama-server"
    case vLLM = "vllm"

    /// A value of this moment.
    enum Gauge: CaseIterable, Hashable, Sendable {
        case running, waiting, held, models, promptSpeed, answerSpeed, mostTokens

        var about: String {
            switch self {
            case .running: "Answers that are computed."
            case .waiting: "Answers that wait."
            case .held: "Requests whose answers hold still until their clients have read more."
            case .models: "Models in memory."
            case .promptSpeed: "Tokens of prompts per second, so far."
            case .answerSpeed: "Tokens of an answer per second, so far."
            case .mostTokens: "Tokens of the longest prompt with its answer, so far."
            }
        }
    }

    /// The prefix of all names.
    var prefix: String {
        switch self {
        case .leap: "leap:"
        case .llamaServer: "llamacpp:"
        case .vLLM: "vllm:"
        }
    }

    /// The names of a sum; none where others have no such thing.
    func names(_ counter: Metrics.Counter) -> [String] {
        switch (self, counter) {
        case (.leap, _): [counter.rawValue]
        case (.llamaServer, .promptTokens), (.llamaServer, .cachedTokens), (.llamaServer, .promptSeconds),
            (.llamaServer, .completionTokens), (.llamaServer, .completionSeconds):
            [counter.rawValue]
        case (.vLLM, .promptTokens): ["prompt_tokens_total", "prefix_cache_queries_total"]
        case (.vLLM, .completionTokens): ["generation_tokens_total"]
        case (.vLLM, .cachedTokens): ["prefix_cache_hits_total"]
        case (.vLLM, .answers): ["request_success_total"]
        default: []
        }
    }

    /// The names of a distribution; none where others have no such thing.
    func names(_ histogram: Metrics.Histogram) -> [String] {
        switch (self, histogram) {
        case (.llamaServer, _): []
        // An answer's time begins with its turn, so that it is the prompt's until the first token.
        case (.vLLM, .firstToken): [histogram.rawValue, "request_prefill_time_seconds"]
        default: [histogram.rawValue]
        }
    }

    /// The name of a value; `nil` where there is none.
    func name(_ gauge: Gauge) -> String? {
        switch (self, gauge) {
        case (.vLLM, .running): "num_requests_running"
        case (.vLLM, .waiting): "num_requests_waiting"
        case (.vLLM, _): nil
        case (_, .running): "requests_processing"
        case (_, .waiting): "requests_deferred"
        case (.leap, .held): "requests_held"
        case (.leap, .models): "models_loaded"
        case (.llamaServer, .promptSpeed): "prompt_tokens_seconds"
        case (.llamaServer, .answerSpeed): "predicted_tokens_seconds"
        case (.leap, .mostTokens): "tokens_max"
        case (.llamaServer, .mostTokens): "n_tokens_max"
        default: nil
        }
    }
}
