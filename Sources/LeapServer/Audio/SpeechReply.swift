import Foundation
import LeapAudio
import LeapEngine
import LeapJSON

/// Streams speech while it is generated.
struct SpeechStream: AnswerWriter {
    /// Whether samples come in events.
    let sendsEvents: Bool
    /// Whether any samples came.
    private var hasSound = false

    init(sendsEvents: Bool) {
        self.sendsEvents = sendsEvents
    }

    /// The error for speech without samples.
    static let noSound = APIError(.failed, "the model generated no audio: try another text or other instructions")

    func begin() -> [UInt8] { [] }

    /// - Throws: Failures, unless they can be reported in an event: samples have no place for them.
    mutating func write(_ item: AnswerFeed.Item) throws(APIError) -> [UInt8] {
        switch item.piece {
        case .sound(let samples):
            hasSound = hasSound || !samples.isEmpty
            let bytes = Recording.int16(samples)
            guard sendsEvents else { return Array(bytes) }
            return ServerSentEvents.event([
                "type": "speech.audio.delta", "audio": .string(bytes.base64EncodedString()),
            ])
        case .finished where !hasSound: return try failure(Self.noSound)
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
        case .failed(let error): return try failure(error)
        case .ping: return sendsEvents ? ServerSentEvents.ping : []
        case .promptRead, .text, .reasoning, .token, .callBegins, .callArguments: return []
        }
    }

    private func failure(_ error: APIError) throws(APIError) -> [UInt8] {
        guard sendsEvents else { throw error }
        return ServerSentEvents.event(error.openAIDocument)
    }

    func end() -> [UInt8] { [] }
}
