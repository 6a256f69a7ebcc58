/// What figures are called: as here, and as the dashboards of others know them.
public enum MetricsNames: String, Sendable, Hashable, CaseIterable {
    case leap
    case llamaServer = "llama-server"
    case vLLM = "vllm"

    /// A value of this moment.
    enum Gauge: CaseIterable, Hashable, Sendable {
        case running, waiting, held, models, promptSpeed, answerSpeed

        var about: String {
            switch self {
            case .running: "Answers that are computed."
            case .waiting: "Answers that wait."
            case .held: "Requests whose answers hold still until their clients have read more."
            case .models: "Models in memory."
            case .promptSpeed: "Tokens of prompts per second, so far."
            case .answerSpeed: "Tokens of an answer per second, so far."
            }
        }
    }

    /// What stands before all names.
    var prefix: String {
        switch self {
        case .leap: "leap:"
        case .llamaServer: "llamacpp:"
        case .vLLM: "vllm:"
        }
    }

    /// The name of a sum; `nil` where there is none.
    func name(_ counter: Metrics.Counter) -> String? {
        switch (self, counter) {
        case (.leap, _): counter.rawValue
        case (.llamaServer, .promptTokens), (.llamaServer, .promptSeconds), (.llamaServer, .completionTokens),
            (.llamaServer, .completionSeconds):
            counter.rawValue
        case (.vLLM, .promptTokens): "prompt_tokens_total"
        case (.vLLM, .completionTokens): "generation_tokens_total"
        case (.vLLM, .cachedTokens): "prefix_cache_hits_total"
        case (.vLLM, .answers): "request_success_total"
        default: nil
        }
    }

    /// The name of a distribution; `nil` where there is none.
    func name(_ histogram: Metrics.Histogram) -> String? {
        self == .llamaServer ? nil : histogram.rawValue
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
        default: nil
        }
    }
}
