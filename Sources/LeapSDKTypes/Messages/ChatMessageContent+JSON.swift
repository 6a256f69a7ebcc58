import Foundation
public import LeapChat

/// The shape of OpenAI's content parts: `text`, `image_url` with a data URL, `input_audio` with base64.
extension ChatMessageContent {
    private static let jpegDataURLPrefix = "data:image/jpeg;base64,"

    /// The part as a JSON object.
    public var json: JSONValue {
        switch self {
        case .text(let text):
            ["type": "text", "text": .string(text)]
        case .image(let jpeg):
            [
                "type": "image_url",
                "image_url": ["url": .string(Self.jpegDataURLPrefix + jpeg.base64EncodedString())],
            ]
        case .audio(let wav):
            ["type": "input_audio", "input_audio": ["data": .string(wav.base64EncodedString()), "format": "wav"]]
        }
    }

    /// Reads a part.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` naming the field, also for a picture that is not a JPEG data URL
    ///   and a recording that is not WAV: nothing is fetched from elsewhere.
    public init(json: JSONValue) throws(LeapError) {
        switch json["type"]?.string {
        case "text":
            guard let text = json["text"]?.string else {
                throw .malformed("a text part's 'text'", expected: "a string", json["text"])
            }
            self = .text(text)
        case "image_url": self = .image(try Self.image(json["image_url"]?["url"]))
        case "input_audio": self = .audio(try Self.audio(json["input_audio"]))
        default:
            throw .malformed("a content part's 'type'", expected: "'text', 'image_url' or 'input_audio'", json["type"])
        }
    }

    private static func image(_ json: JSONValue?) throws(LeapError) -> Data {
        guard let url = json?.string, url.hasPrefix(jpegDataURLPrefix),
            let data = Data(base64Encoded: String(url.dropFirst(jpegDataURLPrefix.count)))
        else { throw .malformed("an image part's 'url'", expected: "'\(jpegDataURLPrefix)' and base64", json) }
        return data
    }

    private static func audio(_ json: JSONValue?) throws(LeapError) -> Data {
        guard json?["format"]?.string == "wav", let text = json?["data"]?.string, let data = Data(base64Encoded: text)
        else { throw .malformed("an audio part", expected: "base64 'data' in 'format' \"wav\"", json) }
        return data
    }
}
