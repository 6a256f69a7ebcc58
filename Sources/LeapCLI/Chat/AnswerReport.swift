import Foundation
import LeapChat
import LeapGeneration
import LeapSDK
import OrderedCollections

/// An answer in a form for programs, and its cost in a line for people.
enum AnswerReport {
    /// One object: text, reasoning, finishReason, stats, tokens, and logprobs where they were asked for.
    static func json(_ result: GenerationResult, logprobs: [TokenLogprob]?) -> JSONValue {
        var report = json(result)
        if let logprobs { report["logprobs"] = .array(logprobs.map(json)) }
        return .object(report)
    }

    private static func json(_ logprob: TokenLogprob) -> JSONValue {
        [
            "id": .integer(logprob.id), "token": .string(logprob.token),
            "bytes": .array(logprob.bytes.map { .integer(Int($0)) }), "logprob": .number(logprob.logprob),
            "topLogprobs": .array(logprob.topLogprobs.map(json)),
        ]
    }

    private static func json(_ result: GenerationResult) -> OrderedDictionary<String, JSONValue> {
        [
            "text": .string(result.text),
            "reasoning": result.reasoning.isEmpty ? .null : .string(result.reasoning),
            "finishReason": .string(name(of: result.finishReason)),
            "stats": stats(result.statistics),
            "tokens": .array(result.tokens.map { .integer(Int($0)) }),
        ]
    }

    private static func stats(_ statistics: GenerationStatistics) -> JSONValue {
        [
            "promptTokens": .integer(statistics.promptTokens),
            "cachedPromptTokens": .integer(statistics.cachedPromptTokens),
            "completionTokens": .integer(statistics.completionTokens),
            "totalTokens": .integer(statistics.totalTokens),
            "timeToFirstToken": .number(statistics.timeToFirstToken / .seconds(1)),
            "prefillTokensPerSecond": .number(statistics.prefillTokensPerSecond),
            "decodeTokensPerSecond": .number(statistics.decodeTokensPerSecond),
        ]
    }

    private static func name(of reason: FinishReason) -> String {
        switch reason {
        case .endOfGeneration, .stopString: "stop"
        case .maxTokens: "length"
        case .maxTokensInConstraint: "length_in_constraint"
        case .contextFull: "exceed_context"
        case .cancelled: "interrupted"
        }
    }

    /// Tokens and rates.
    static func statistics(_ statistics: GenerationStatistics) -> String {
        String(
            format: "prompt %d tokens, %.1f t/s, first token after %.3f s; answer %d tokens, %.1f t/s",
            statistics.promptTokens, statistics.prefillTokensPerSecond, statistics.timeToFirstToken / .seconds(1),
            statistics.completionTokens, statistics.decodeTokensPerSecond)
    }
}
