import Foundation
import HTTPTypes
import LeapJSON
import OrderedCollections
import Synchronization

/// The access record of a request, filled in until its reply is complete. It never contains text of prompts or answers.
final class AccessRecord: Sendable {
    private struct State {
        var model: String?
        /// The usage for each prompt.
        var answers: [Int: [FinishedAnswer]] = [:]
        var embeddedTokens: Int?
        var remote: RemoteUsage.Count?

        /// The total usage of all answers.
        var cost: AnswerCost { AnswerCost.sum(answers.values.map(AnswerCost.of)) }
    }

    private let begin = ContinuousClock.now
    private let date = Date.now
    private let state = Mutex(State())

    /// Records the model that answers.
    func setModel(_ model: String) {
        state.withLock { $0.model = model }
    }

    /// Records how many tokens were embedded.
    func setEmbeddedTokens(_ count: Int) {
        state.withLock { $0.embeddedTokens = count }
    }

    /// Records the usage that another server reported.
    func setRemoteUsage(_ count: RemoteUsage.Count) {
        state.withLock { $0.remote = count }
    }

    /// Cached tokens of the prompt, once the answer is complete; `nil` before, and if there was no prompt.
    var cachedTokens: Int? { state.withLock { $0.remote?.cached ?? ($0.answers.isEmpty ? nil : $0.cost.cachedTokens) } }

    /// Records the usage of the answers to one more prompt.
    func add(_ answers: [FinishedAnswer]) {
        state.withLock { $0.answers[$0.answers.count] = answers.map(\.withoutWords) }
    }

    /// Records the usage of an answer to one of several prompts.
    func add(_ answer: FinishedAnswer, toPrompt prompt: Int) {
        state.withLock { $0.answers[prompt, default: []].append(answer.withoutWords) }
    }

    /// A line of JSON, without its end.
    ///
    /// - Parameter isWhole: Whether the reply was sent to its end.
    func line(_ exchange: Exchange, endpoint: String?, status: Int, isWhole: Bool) -> String {
        let state = state.withLock(\.self)
        let (model, embedded, remote) = (state.model, state.embeddedTokens, state.remote)
        var line: OrderedDictionary<String, JSONValue> = [
            "time": .string(date.formatted(.iso8601)), "id": .string(exchange.id), "client": .string(exchange.client),
            "method": .string(exchange.method.rawValue), "endpoint": endpoint.map { .string($0) } ?? .null,
            "status": .integer(status), "ms": .integer(Self.milliseconds(.now - begin)),
        ]
        if let model { line["model"] = .string(model) }
        if !isWhole { line["aborted"] = true }
        if let embedded { line["prompt_tokens"] = .integer(embedded) }
        if let remote {
            line["prompt_tokens"] = .integer(remote.prompt)
            line["cached_tokens"] = .integer(remote.cached)
            line["completion_tokens"] = .integer(remote.completion)
        }
        guard let first = state.answers.min(by: { $0.key < $1.key })?.value.first else {
            return JSONValue.object(line).text()
        }
        let cost = state.cost
        line["prompt_tokens"] = .integer(cost.promptTokens)
        line["cached_tokens"] = .integer(cost.cachedTokens)
        line["completion_tokens"] = .integer(cost.completionTokens)
        line["first_token_ms"] = .integer(Self.milliseconds(cost.promptDuration))
        line["decode_ms"] = .integer(Self.milliseconds(cost.answerDuration))
        line["finish_reason"] = .string(first.end.openAIReason)
        return JSONValue.object(line).text()
    }

    private static func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
}

extension FinishedAnswer {
    /// The usage of an answer, and its finish reason.
    fileprivate var withoutWords: FinishedAnswer {
        var answer = FinishedAnswer()
        (answer.end, answer.cost) = (end, cost)
        return answer
    }
}
