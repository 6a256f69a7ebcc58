import Foundation
import HTTPTypes
import LeapJSON
import OrderedCollections
import Synchronization

/// What becomes known of a request until its reply is whole: never a word of what was asked or said.
final class AccessRecord: Sendable {
    private struct State {
        var model: String?
        /// Those of each prompt.
        var answers: [Int: [FinishedAnswer]] = [:]
        var embeddedTokens: Int?
        var remote: RemoteUsage.Count?

        /// What all answers cost.
        var cost: AnswerCost { AnswerCost.sum(answers.values.map(AnswerCost.of)) }
    }

    private let begin = ContinuousClock.now
    private let date = Date.now
    private let state = Mutex(State())

    /// Records the model that answers.
    func setModel(_ model: String) {
        state.withLock { $0.model = model }
    }

    /// Notes how many tokens were read for vectors.
    func setEmbeddedTokens(_ count: Int) {
        state.withLock { $0.embeddedTokens = count }
    }

    /// Notes what another server says that its answer cost.
    func setRemoteUsage(_ count: RemoteUsage.Count) {
        state.withLock { $0.remote = count }
    }

    /// Tokens of the prompt that were known, once the answer is whole; `nil` before, and where there was no prompt.
    var cachedTokens: Int? { state.withLock { $0.remote?.cached ?? ($0.answers.isEmpty ? nil : $0.cost.cachedTokens) } }

    /// Notes what the answers to one more prompt cost.
    func add(_ answers: [FinishedAnswer]) {
        state.withLock { $0.answers[$0.answers.count] = answers.map(\.withoutWords) }
    }

    /// Notes what an answer to one of several prompts cost.
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
    /// What an answer cost, and how it ended.
    fileprivate var withoutWords: FinishedAnswer {
        var answer = FinishedAnswer()
        (answer.end, answer.cost) = (end, cost)
        return answer
    }
}
