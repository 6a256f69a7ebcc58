import HTTPTypes
import LeapEngine
import LeapJSON

/// Encodes transcripts.
struct TranscriptionReply: Sendable {
    let request: TranscriptionRequest
    /// The duration of the recording, if the format includes it.
    let seconds: Double

    /// The whole text.
    func reply(_ answer: FinishedAnswer) -> Reply {
        let text = answer.text.trimmed
        switch request.format {
        case .json: return .json(["text": .string(text), "usage": Self.usage(answer)])
        case .verbose:
            return .json([
                "task": "transcribe", "language": .string(request.language.name), "duration": .number(seconds),
                "text": .string(text), "segments": [segment(text, answer.tokens ?? [])],
                "usage": ["type": "duration", "seconds": .number(seconds)],
            ])
        case .text: return .whole(.ok, Array((text + "\n").utf8), type: "text/plain; charset=utf-8")
        case .srt:
            let times = "\(Self.time(0, ",")) --> \(Self.time(seconds, ","))"
            let cue = "1\n\(times)\n\(Self.cue(text))\n\n"
            return .whole(.ok, Array(cue.utf8), type: "application/x-subrip; charset=utf-8")
        case .vtt:
            let times = "\(Self.time(0, ".")) --> \(Self.time(seconds, "."))"
            let cue = "WEBVTT\n\n\(times)\n\(Self.escaped(Self.cue(text)))\n\n"
            return .whole(.ok, Array(cue.utf8), type: "text/vtt; charset=utf-8")
        }
    }

    /// The lines of a text without blank ones, which would end the cue.
    private static func cue(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
    }

    /// A text without tags and references. Source: W3C, WebVTT, section 3.5, "WebVTT cue text span".
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// The whole text as one segment, since models report neither timestamps nor the probability of silence.
    private func segment(_ text: String, _ tokens: [TokenReport]) -> JSONValue {
        let mean = tokens.reduce(0) { $0 + $1.logprob } / Double(max(1, tokens.count))
        return [
            "id": 0, "seek": 0, "start": 0, "end": .number(seconds), "text": .string(text),
            "tokens": .array(tokens.map { .integer(Int($0.token)) }),
            // As the client wrote it: 0.2 as a Float is another number as a Double.
            "temperature": .number(Double("\(request.temperature)") ?? 0),
            // JSON has no infinities.
            "avg_logprob": .number(max(mean, -9999)),
            "compression_ratio": .number(CompressionRatio.of(Array(text.utf8))), "no_speech_prob": 0,
        ]
    }

    fileprivate static func usage(_ answer: FinishedAnswer) -> JSONValue {
        let (read, written) = (answer.cost.promptTokens, answer.cost.completionTokens)
        return [
            "type": "tokens", "input_tokens": .integer(read), "output_tokens": .integer(written),
            "total_tokens": .integer(read + written),
        ]
    }

    /// Hours, minutes, seconds and thousandths.
    static func time(_ seconds: Double, _ separator: String) -> String {
        func digits(_ value: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - "\(value)".count)) + "\(value)"
        }
        let thousandths = Int((seconds * 1000).rounded())
        let (hours, minutes) = (thousandths / 3_600_000, thousandths / 60_000 % 60)
        return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(thousandths / 1000 % 60, 2))"
            + separator + digits(thousandths % 1000, 3)
    }
}

/// Streams the transcription while it is generated.
struct TranscriptionStream: AnswerWriter {
    func begin() -> [UInt8] { [] }

    mutating func write(_ item: AnswerFeed.Item) -> [UInt8] {
        switch item.piece {
        case .text(let text):
            ServerSentEvents.event(["type": "transcript.text.delta", "delta": .string(text)])
        case .finished(let answer):
            ServerSentEvents.event([
                "type": "transcript.text.done", "text": .string(answer.text.trimmed),
                "usage": TranscriptionReply.usage(answer),
            ])
        case .failed(let error): ServerSentEvents.event(error.openAIDocument)
        case .ping: ServerSentEvents.ping
        case .promptRead, .reasoning, .token, .callBegins, .callArguments, .sound: []
        }
    }

    func end() -> [UInt8] { [] }
}

extension String {
    /// Without whitespace around it.
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
