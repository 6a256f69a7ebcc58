import Synchronization

/// The server's metrics in Prometheus's text format 0.0.4.
final class Metrics: Sendable {
    /// Counters, by label.
    enum Counter: String, CaseIterable, Sendable {
        case requests = "requests_total"
        case promptTokens = "prompt_tokens_total"
        case cachedTokens = "prompt_tokens_cached_total"
        case promptSeconds = "prompt_seconds_total"
        case completionTokens = "tokens_predicted_total"
        case completionSeconds = "tokens_predicted_seconds_total"
        case answers = "answers_total"
        case embeddedTexts = "embedded_texts_total"
        case embeddedTokens = "embedded_tokens_total"
        case remoteRequests = "remote_requests_total"
        case remotePromptTokens = "remote_prompt_tokens_total"
        case remoteCompletionTokens = "remote_completion_tokens_total"
        case refusals = "refusals_total"
        case cancellations = "cancellations_total"

        var about: String {
            switch self {
            case .requests: "Number of requests, by endpoint and status."
            case .promptTokens: "Number of prompt tokens."
            case .cachedTokens: "Number of prompt tokens found in the prompt cache."
            case .promptSeconds: "Time from an answer's admission to its first token, in seconds."
            case .completionTokens: "Number of generated tokens."
            case .completionSeconds: "Time spent on decoding, from an answer's first token to its last, in seconds."
            case .answers: "Number of answers, by finish reason."
            case .embeddedTexts: "Number of texts embedded and documents ranked."
            case .embeddedTokens: "Number of tokens embedded or ranked."
            case .remoteRequests: "Number of requests forwarded to other servers, by model and status."
            case .remotePromptTokens: "Number of prompt tokens reported by other servers, by model."
            case .remoteCompletionTokens: "Number of generated tokens reported by other servers, by model."
            case .refusals: "Number of requests that failed with status 429 or 503."
            case .cancellations: "Number of answers cancelled because the client disconnected."
            }
        }
    }

    /// Histograms of durations in seconds.
    enum Histogram: String, CaseIterable, Sendable {
        case firstToken = "time_to_first_token_seconds"
        case gap = "inter_token_latency_seconds"
        case decode = "request_decode_time_seconds"
        case whole = "e2e_request_latency_seconds"

        var about: String {
            switch self {
            case .firstToken: "Time from an answer's admission to its first token, in seconds."
            case .gap: "Mean time between tokens of an answer, in seconds."
            case .decode: "Time from the first token of an answer to its last, in seconds."
            case .whole: "Time from an answer's admission to its last token, in seconds."
            }
        }
    }

    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120]

    private struct State {
        var counters: [Counter: [String: Double]] = [:]
        var histograms: [Histogram: (counts: [Int], sum: Double)] = [:]
        var mostTokens = 0
    }

    private let state = Mutex(State())
    /// Requests whose answers are paused.
    let heldAnswers = HeldAnswers()

    /// Adds to a counter.
    ///
    /// - Parameter labels: Such as `status="200"`; never what a user wrote.
    func add(_ value: Double = 1, to counter: Counter, labels: String = "") {
        state.withLock { $0.counters[counter, default: [:]][labels, default: 0] += value }
    }

    /// Records a duration.
    func observe(_ duration: Duration, in histogram: Histogram) {
        let seconds = duration / .seconds(1)
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        state.withLock { state in
            var value = state.histograms[histogram] ?? (Array(repeating: 0, count: Self.bounds.count + 1), 0)
            value.counts[bucket] += 1
            value.sum += seconds
            state.histograms[histogram] = value
        }
    }

    /// Records the usage of an answer.
    func observe(_ answer: FinishedAnswer) { observe(answer.cost, end: answer.end.openAIReason) }

    /// Records the usage of an answer.
    ///
    /// - Parameter end: Its finish reason.
    func observe(_ cost: AnswerCost, end: String) {
        add(Double(cost.promptTokens), to: .promptTokens)
        add(Double(cost.cachedTokens), to: .cachedTokens)
        add(cost.promptDuration / .seconds(1), to: .promptSeconds)
        add(Double(cost.completionTokens), to: .completionTokens)
        add(cost.answerDuration / .seconds(1), to: .completionSeconds)
        add(to: .answers, labels: "finished_reason=\"\(end)\"")
        observe(cost.promptDuration, in: .firstToken)
        if cost.completionTokens > 1 { observe(cost.answerDuration / (cost.completionTokens - 1), in: .gap) }
        observe(cost.answerDuration, in: .decode)
        observe(cost.promptDuration + cost.answerDuration, in: .whole)
        state.withLock { $0.mostTokens = max($0.mostTokens, cost.promptTokens + cost.completionTokens) }
    }

    /// Tokens of the longest prompt with its answer.
    var mostTokens: Int { state.withLock(\.mostTokens) }

    /// A counter.
    func value(_ counter: Counter) -> Double {
        state.withLock { $0.counters[counter]?.values.reduce(0, +) ?? 0 }
    }

    /// The ratio of two counters.
    func rate(_ counter: Counter, per other: Counter) -> Double {
        let divisor = value(other)
        return divisor > 0 ? value(counter) / divisor : 0
    }

    /// All metrics, with the current values of the gauges.
    func text(_ names: MetricsNames, gauges: [MetricsNames.Gauge: Double]) -> String {
        let (counters, histograms) = state.withLock { ($0.counters, $0.histograms) }
        var text = ""
        for gauge in MetricsNames.Gauge.allCases {
            guard let value = gauges[gauge], let name = names.name(gauge).map({ names.prefix + $0 }) else { continue }
            text += "# HELP \(name) \(gauge.about)\n# TYPE \(name) gauge\n\(name) \(value)\n"
        }
        for counter in Counter.allCases {
            for name in names.names(counter).map({ names.prefix + $0 }) {
                text += Self.text(name, counter.about, counters[counter] ?? ["": 0])
            }
        }
        for histogram in Histogram.allCases {
            let value = histograms[histogram] ?? (Array(repeating: 0, count: Self.bounds.count + 1), 0)
            for name in names.names(histogram).map({ names.prefix + $0 }) {
                text += Self.text(name, histogram.about, value.counts, value.sum)
            }
        }
        return text
    }

    private static func text(_ name: String, _ about: String, _ values: [String: Double]) -> String {
        var text = "# HELP \(name) \(about)\n# TYPE \(name) counter\n"
        for (labels, value) in values.sorted(by: { $0.key < $1.key }) {
            text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(value)\n"
        }
        return text
    }

    private static func text(_ name: String, _ about: String, _ counts: [Int], _ sum: Double) -> String {
        var text = "# HELP \(name) \(about)\n# TYPE \(name) histogram\n"
        var total = 0
        for (index, count) in counts.enumerated() {
            total += count
            let bound = index < bounds.count ? "\(bounds[index])" : "+Inf"
            text += "\(name)_bucket{le=\"\(bound)\"} \(total)\n"
        }
        return text + "\(name)_sum \(sum)\n\(name)_count \(total)\n"
    }
}
