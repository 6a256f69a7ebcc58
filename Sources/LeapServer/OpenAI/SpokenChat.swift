import Foundation
import LeapAudio
import LeapEngine
import LeapGeneration
import LeapJSON

/// Sound in the answers of OpenAI's chat completions: asked for as OpenAI's API has it, and sent as both it and the server of
/// LFM2-Audio's vendor do.
enum SpokenChat {
    static let modalities = Field.array(
        "modalities", "text, and audio where the model speaks; without it, as the system message has it")
    static let audio = Field.object(
        "audio",
        "format: wav for a whole answer, pcm16 for a stream; voice: any, because conversations have the one of their model"
    )
    static let resetContext = Field.bool("reset_context", "only true: a request has the whole conversation")
    private static let format = Field.choice("format", ["wav", "pcm16", "pcm"], "wav, or pcm16 for a stream")

    /// Descriptions of the fields in the OpenAPI document.
    static let fields: [any DescribedField] = [modalities, audio, resetContext]

    /// Whether a conversation is answered in sound.
    static func speech(
        _ fields: FieldReader, _ messages: [Message], streams: Bool
    ) throws(APIError) -> Speech {
        if try fields(resetContext) == false {
            throw .invalid(
                resetContext.name, "must be true: send the whole conversation, whose beginning is known then")
        }
        let options = try fields(audio)
        guard let wanted = try fields(modalities) else {
            guard options == nil else {
                throw .invalid(audio.name, "is for sound: add 'audio' to 'modalities', or leave it out")
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
            streams ? "'pcm16', in which streams are sent" : "'wav', as which whole answers are sent",
            at: "\(audio.name).format", found: .string(format))
    }

    /// Whether a conversation begins with what models were trained to speak by.
    private static func isSpoken(_ messages: [Message]) -> Bool {
        messages.contains { message in
            let text = message.text.lowercased()
            return message.role == .system && (text.hasPrefix("perform tts") || text.contains("interleaved"))
        }
    }

    // MARK: Answers

    /// The seconds for which an answer's sound can at least be referred to by its id, if no later speech displaces it.
    private static let lifetime = 3600

    /// The sound of a whole answer.
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
                "sample_rate": .integer(Speaking.sampleRate),
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

    /// The sound of a model's message, which is known by its number.
    static func said(_ message: JSONValue, path: String) throws(APIError) -> Sound? {
        guard let audio = message["audio"], audio != .null else { return nil }
        guard let id = audio["id"]?.string, id.hasPrefix(prefix), let sound = Sound(name: id.dropFirst(prefix.count))
        else {
            throw .expected(
                "the number of an answer's sound, as an answer has it", at: path + ".audio.id", found: audio)
        }
        return sound
    }
}
