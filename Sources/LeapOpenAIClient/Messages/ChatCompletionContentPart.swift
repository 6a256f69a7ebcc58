public import Foundation
public import LeapJSON
import OrderedCollections

/// A part of a user's message.
public enum ChatCompletionContentPart: Sendable, Hashable {
    /// Text.
    case text(String)
    /// A picture: an address that the server fetches, or a `data:` URL with the picture itself. `detail` is `low`, `high` or
    /// `auto`, for servers that look at pictures in several sizes.
    case imageURL(String, detail: String? = nil)
    /// A recording; `format` is `wav` or `mp3`.
    case audio(Data, format: String)

    /// A picture by its bytes.
    ///
    /// - Parameters:
    ///   - data: The picture's file.
    ///   - mediaType: `image/jpeg`, `image/png`, …
    ///   - detail: How closely the model is to look, such as `low`; nil leaves it to the server.
    public static func image(_ data: Data, mediaType: String, detail: String? = nil) -> ChatCompletionContentPart {
        .imageURL("data:\(mediaType);base64,\(data.base64EncodedString())", detail: detail)
    }

    /// The part as OpenAI's API takes it.
    public var json: JSONValue {
        switch self {
        case .text(let text):
            ["type": "text", "text": .string(text)]
        case .imageURL(let url, let detail):
            [
                "type": "image_url",
                "image_url": JSONObject(["url": .string(url)]).setting("detail", detail).value,
            ]
        case .audio(let data, let format):
            [
                "type": "input_audio",
                "input_audio": ["data": .string(data.base64EncodedString()), "format": .string(format)],
            ]
        }
    }
}
