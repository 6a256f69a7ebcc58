import Foundation
import LeapChat
import LeapEngine
import LeapGeneration
import LeapJSON
import OrderedCollections

/// An answer as JSON for programs, and its statistics as a line for people.
enum AnswerReport {
    /// One object: text, reasoning, functionCalls, finishReason, stats, tokens, and logprobs if requested.
    static func json(_ reply: ChatReply, logprobs: [TokenReport]?) -> JSONValue {
        var report = json(reply)
        if let logprobs { report["logprobs"] = .array(logprobs.map(json)) }
        return .object(report)
    }

    private static func json(_ report: TokenReport) -> JSONValue {
        [
            "id": .integer(Int(report.token)), "token": .string(report.text),
            "bytes": .array(report.bytes.map { .integer(Int($0)) }), "logprob": .number(report.logprob),
            "topLogprobs": .array(report.alternatives.map(json)),
        ]
    }

    private static func json(_ reply: ChatReply) -> OrderedDictionary<String, JSONValue> {
        let result = reply.result
        return [
            "text": .string(result.text),
            "reasoning": result.reasoning.isEmpty ? .null : .string(result.reasoning),
            "functionCalls": .array(reply.calls.map(json)),
            "finishReason": .string(name(of: result.finishReason)),
            "stats": stats(result.statistics),
            "tokens": .array(result.tokens.map { .integer(Int($0)) }),
        ]
    }

    /// A call, its problems, and its result if there is one.
    private static func json(_ call: AnsweredCall) -> JSONValue {
        var object = call.call.json.object ?? [:]
        if !call.problems.isEmpty { object["problems"] = .array(call.problems.map { .string($0.description) }) }
        if let result = call.result { object["result"] = .string(result) }
        return .object(object)
    }

    private static func stats(_ statistics: GenerationStatistics) -> JSONValue {
        [
            "promptTokens": .integer(statistics.promptTokens),
            "cachedPromptTokens": .integer(statistics.cachedPromptTokens),
            "computedPromptTokens": .integer(statistics.computedPromptTokens),
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

    /// Tokens and rates; the prompt's rate counts only tokens that were computed.
    static func statistics(_ statistics: GenerationStatistics) -> String {
        String(
            format: "prompt %d tokens (%d cached, %d computed at %.1f t/s), first token after %.3f s; "
                + "answer %d tokens, %.1f t/s",
            statistics.promptTokens, statistics.cachedPromptTokens, statistics.computedPromptTokens,
            statistics.prefillTokensPerSecond, statistics.timeToFirstToken / .seconds(1),
            statistics.completionTokens, statistics.decodeTokensPerSecond)
    }
}
