import Foundation
import LeapAudio
import LeapEngine
import LeapGeneration
import LeapJSON

/// Audio in the answers of OpenAI's chat completions: requested as in OpenAI's API, and sent in its format and in
/// that of the LFM2-Audio vendor's server.
enum SpokenChat {
    static let modalities = Field.array(
        "modalities", "text, and audio for models with a voice; if absent, the system message decides")
    static let audio = Field.object(
        "audio",
        "format: wav for a complete answer, pcm16 for a stream; voice: any value, since conversations always "
            + "use the model's own voice"
    )
    static let resetContext = Field.bool("reset_context", "must be true: every request carries the whole conversation")
    private static let format = Field.choice("format", ["wav", "pcm16", "pcm"], "wav, or pcm16 for a stream")

    /// Descriptions of the fields in the OpenAPI document.
    static let fields: [any DescribedField] = [modalities, audio, resetContext]

    /// Whether a conversation is answered in audio.
    static func speech(
        _ fields: FieldReader, _ messages: [Message], streams: Bool
    ) throws(APIError) -> Speech {
        if try fields(resetContext) == false {
            throw .invalid(
                resetContext.name, "must be true: send the whole conversation; its beginning is cached")
        }
        let options = try fields(audio)
        guard let wanted = try fields(modalities) else {
            guard options == nil else {
                throw .invalid(audio.name, "requires audio output: add 'audio' to 'modalities', or omit it")
            }
            return isSpoken(messages) ? .automatic : .never
        }
        for (index, modality) in wanted.enumerated() where modality != "text" && modality != "audio" {
            throw .expected("'text' or 'audio'", at: "\(modalities.name)[\(index)]", found: modality)
        }
        guard wanted.contains("audio") else { return .never }
        if let options { try check(options, streams: streams) }
        return .wanted
    }

    private static func check(_ options: JSONValue, streams: Bool) throws(APIError) {
        let format = try FieldReader(options, path: audio.name)(format)
        let expected = streams ? ["pcm16", "pcm"] : ["wav"]
        guard let format, !expected.contains(format) else { return }
        throw .expected(
            streams ? "'pcm16' for a stream" : "'wav' for a complete answer",
            at: "\(audio.name).format", found: .string(format))
    }

    /// Whether a conversation has a system message that models were trained to speak with.
    private static func isSpoken(_ messages: [Message]) -> Bool {
        messages.contains { message in
            let text = message.text.lowercased()
            return message.role == .system && (text.hasPrefix("perform tts") || text.contains("interleaved"))
        }
    }

    // MARK: Answers

    /// The seconds for which an answer's sound can at least be referred to by its id, if no later speech displaces it.
    private static let lifetime = 3600

    /// The audio of a complete answer.
    static func message(_ sound: Sound, text: String) -> JSONValue {
        [
            "id": .string(id(of: sound)), "data": .string(sound.bytes.base64EncodedString()),
            "expires_at": .integer(UnixTime.now + lifetime), "transcript": .string(text),
        ]
    }

    /// The next samples of an answer.
    static func delta(_ samples: [Float]) -> JSONValue {
        [
            "audio": [
                "data": .string(Recording.int16(samples).base64EncodedString()), "format": "pcm",
                "sample_rate": .integer(SpeechOutput.sampleRate),
            ]
        ]
    }

    /// The delta after the last samples.
    static func lastDelta(_ sound: Sound) -> JSONValue {
        ["audio": ["id": .string(id(of: sound)), "expires_at": .integer(UnixTime.now + lifetime)]]
    }

    // MARK: What was said

    private static let prefix = "audio_"

    private static func id(of sound: Sound) -> String { prefix + sound.name }

    /// The audio of an earlier message of the model, by its ID.
    static func said(_ message: JSONValue, path: String) throws(APIError) -> Sound? {
        guard let audio = message["audio"], audio != .null else { return nil }
        guard let id = audio["id"]?.string, id.hasPrefix(prefix), let sound = Sound(name: id.dropFirst(prefix.count))
        else {
            throw .expected(
                "the ID of an earlier answer's audio", at: path + ".audio.id", found: audio)
        }
        return sound
    }
}
