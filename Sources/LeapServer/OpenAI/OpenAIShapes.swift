import Foundation
import LeapEngine
import LeapJSON

/// Seconds since 1970.
enum UnixTime {
    static var now: Int { Int(Date().timeIntervalSince1970) }
}

extension AnswerEnd {
    /// `finish_reason`.
    var openAIReason: String {
        switch self {
        case .complete, .stopText: "stop"
        case .length: "length"
        case .calls: "tool_calls"
        }
    }
}

extension CalledFunction {
    /// The call in a message.
    var openAIJSON: JSONValue {
        [
            "id": .string(id), "type": "function",
            "function": ["name": .string(name), "arguments": .string(arguments)],
        ]
    }
}

extension TokenReport {
    /// The token with its probability and its alternatives.
    var openAIJSON: JSONValue {
        [
            "token": .string(text), "logprob": finiteLogprob, "bytes": bytesJSON,
            "top_logprobs": .array(
                alternatives.map {
                    ["token": .string($0.text), "logprob": $0.finiteLogprob, "bytes": $0.bytesJSON]
                }),
        ]
    }

    private var bytesJSON: JSONValue { .array(bytes.map { .integer(Int($0)) }) }

    /// JSON has no infinity; OpenAI writes this.
    var finiteLogprob: JSONValue { .number(logprob.isFinite ? logprob : -9999) }
}

extension AnswerCost {
    /// `usage` of chats and completions.
    ///
    /// Its predictions are texts that clients send, and clients may pay by these numbers: the tokens that the server
    /// itself drafts, as many as fit its load, are among the ``timings``.
    var openAIUsage: JSONValue {
        [
            "prompt_tokens": .integer(promptTokens), "completion_tokens": .integer(completionTokens),
            "total_tokens": .integer(promptTokens + completionTokens),
            "prompt_tokens_details": ["cached_tokens": .integer(cachedTokens)],
            "completion_tokens_details": [
                "reasoning_tokens": .integer(reasoningTokens), "accepted_prediction_tokens": 0,
                "rejected_prediction_tokens": 0,
            ],
        ]
    }

    /// `timings`, as llama-server has them.
    var timings: JSONValue {
        let (promptTime, answerTime) = (promptDuration / .milliseconds(1), answerDuration / .milliseconds(1))
        let read = promptTokens - cachedTokens
        return [
            "cache_n": .integer(cachedTokens), "prompt_n": .integer(read), "prompt_ms": .number(promptTime),
            "prompt_per_token_ms": .number(Self.ratio(promptTime, Double(read))),
            "prompt_per_second": .number(Self.ratio(Double(read) * 1000, promptTime)),
            "predicted_n": .integer(completionTokens), "predicted_ms": .number(answerTime),
            "predicted_per_token_ms": .number(Self.ratio(answerTime, Double(completionTokens))),
            "predicted_per_second": .number(Self.ratio(Double(completionTokens) * 1000, answerTime)),
            "draft_n": .integer(draftedTokens), "draft_n_accepted": .integer(acceptedTokens),
        ]
    }

    private static func ratio(_ part: Double, _ whole: Double) -> Double { whole > 0 ? part / whole : 0 }
}
