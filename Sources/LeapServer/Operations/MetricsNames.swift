/// The names of metrics: our own, and those that the dashboards of other servers expect.
public enum MetricsNames: String, Sendable, Hashable, CaseIterable {
    case leap
    case llamaServer = "llama-server"
    case vLLM = "vllm"

    /// A gauge.
    enum Gauge: CaseIterable, Hashable, Sendable {
        case running, waiting, held, models, promptSpeed, answerSpeed, mostTokens

        var about: String {
            switch self {
            case .running: "Number of answers being generated."
            case .waiting: "Number of queued answers."
            case .held: "Number of requests whose generation is paused because the client reads slowly."
            case .models: "Number of loaded models."
            case .promptSpeed: "Prompt tokens, cached ones included, per second until the first token, since start."
            case .answerSpeed: "Average decoding speed of an answer since start, in tokens per second."
            case .mostTokens: "Largest number of tokens of a prompt and its answer since start."
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

    /// The names of a counter; none if the other server has no equivalent.
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

    /// The names of a histogram; none if the other server has no equivalent.
    func names(_ histogram: Metrics.Histogram) -> [String] {
        switch (self, histogram) {
        case (.llamaServer, _): []
        // An answer's time begins with its admission, so the time to the first token is that of prefill.
        case (.vLLM, .firstToken): [histogram.rawValue, "request_prefill_time_seconds"]
        default: [histogram.rawValue]
        }
    }

    /// The name of a gauge; `nil` if there is no equivalent.
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
