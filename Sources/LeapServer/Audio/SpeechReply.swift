import Foundation
import LeapAudio
import LeapEngine
import LeapJSON

/// Streams speech while it is generated.
struct SpeechStream: AnswerWriter {
    /// Whether samples come in events.
    let sendsEvents: Bool

    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .sound(let samples):
            let bytes = Recording.int16(samples)
            guard sendsEvents else { return Array(bytes) }
            return ServerSentEvents.event([
                "type": "speech.audio.delta", "audio": .string(bytes.base64EncodedString()),
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
