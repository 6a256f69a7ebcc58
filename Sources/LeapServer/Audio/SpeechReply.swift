import Foundation
import LeapEngine
import LeapJSON

/// Writes speech while it is made.
struct SpeechStream: AnswerWriter {
    /// Whether samples come in events.
    let sendsEvents: Bool

    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .sound(let samples):
            let bytes = SpeechSamples.bytes(samples)
            guard sendsEvents else { return bytes }
            return ServerSentEvents.event([
                "type": "speech.audio.delta", "audio": .string(Data(bytes).base64EncodedString()),
            ])
        case .finished(let answer):
            guard sendsEvents else { return [] }
            let (read, written) = (answer.cost.promptTokens, answer.cost.completionTokens)
            return ServerSentEvents.event([
                "type": "speech.audio.done",
                "usage": [
                    "input_tokens": .integer(read), "output_tokens": .integer(written),
                    "total_tokens": .integer(read + written),
                ],
            ])
        case .failed(let error): return sendsEvents ? ServerSentEvents.event(error.openAIDocument) : []
        case .ping: return sendsEvents ? ServerSentEvents.ping : []
        case .promptRead, .text, .reasoning, .token, .callBegins, .callArguments: return []
        }
    }

    func end() -> [UInt8] { [] }
}

/// Samples as they are sent.
enum SpeechSamples {
    /// 16 bits each, little-endian.
    static func bytes(_ samples: [Float]) -> [UInt8] {
        samples.flatMap { sample in
            let value = sample.isNaN ? 0 : Int16(max(-32768, min(32767, (sample * 32768).rounded())))
            return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        }
    }
}
