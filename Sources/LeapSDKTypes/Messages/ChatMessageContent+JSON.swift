import Foundation
public import LeapJSON

/// The format of OpenAI's content parts: `text`, `image_url` with a `data:` URL, `input_audio` with Base64.
extension ChatMessageContent {
    /// The content as a JSON object in the format of OpenAI's chat completions.
    public var json: JSONValue {
        switch self {
        case .text(let text):
            ["type": "text", "text": .string(text)]
        case .image(let data):
            ["type": "image_url", "image_url": ["url": .string(ImageURL.url(of: data))]]
        case .audio(let data):
            [
                "type": "input_audio",
                "input_audio": [
                    "data": .string(data.base64EncodedString()), "format": .string(AudioFormat(of: data).rawValue),
                ],
            ]
        }
    }

    /// Reads a content part from a JSON object in the format of OpenAI's chat completions.
    ///
    /// Audio in other formats than WAV and images referenced by a web address, which is never fetched, are kept, but
    /// rejected when they are passed to a model.
    ///
    /// - Throws: ``LeapError/serializationFailure(_:_:)``, which names the invalid field, for example the URL of an
    ///   image that is neither a web address nor contains a JPEG, PNG or WebP file.
    public init(json: JSONValue) throws(LeapError) {
        switch json["type"]?.string {
        case "text":
            guard let text = json["text"]?.string else {
                throw .malformed("a text part's 'text'", expected: "a string", json["text"])
            }
            self = .text(text)
        case "image_url": self = try Self.image(json["image_url"]?["url"] ?? json["image_url"])
        case "input_audio": self = .audio(try Self.audio(json["input_audio"]))
        case "audio_pcm_f32": self = try Self.samples(json)
        default:
            throw .malformed(
                "a content part's 'type'", expected: "'text', 'image_url', 'input_audio' or 'audio_pcm_f32'",
                json["type"])
        }
    }

    private static func image(_ json: JSONValue?) throws(LeapError) -> ChatMessageContent {
        guard let url = json?.string, ImageURL.isOfPage(url) || ImageURL.data(of: url) != nil else {
            throw .malformed(
                "an image part's 'url'",
                expected: "'data:image/jpeg;base64,' followed by base64, or the same with 'image/png' or 'image/webp'",
                json)
        }
        return .image(url: url)
    }

    private static func audio(_ json: JSONValue?) throws(LeapError) -> Data {
        guard json?["format"]?.string.flatMap(AudioFormat.init) != nil, let text = json?["data"]?.string,
            let data = Data(base64Encoded: text)
        else {
            let formats = AudioFormat.allCases.map { "\"\($0)\"" }.joined(separator: ", ")
            throw .malformed("an audio part", expected: "base64 'data' in a 'format' of \(formats)", json)
        }
        return data
    }

    private static func samples(_ json: JSONValue) throws(LeapError) -> ChatMessageContent {
        guard let values = json["samples"]?.array, case .integer(let rate)? = json["sampleRate"] else {
            throw .malformed("an audio part", expected: "an array 'samples' and an integer 'sampleRate'", json)
        }
        let samples = try values.map { value throws(LeapError) in
            switch value {
            case .integer(let number): return Float(number)
            case .number(let number): return Float(number)
            default: throw .malformed("an audio part's sample", expected: "a number", value)
            }
        }
        return .fromFloatSamples(samples, sampleRate: rate)
    }
}
