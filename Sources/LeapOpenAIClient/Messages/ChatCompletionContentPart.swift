public import Foundation
public import LeapJSON
import OrderedCollections

/// A part of a user's message.
public enum ChatCompletionContentPart: Sendable, Hashable {
    /// Text.
    case text(String)
    /// An image: a URL that the server fetches, or a `data:` URL with the image itself. `detail` is `low`, `high` or
    /// `auto`, for servers that process images in several resolutions.
    case imageURL(String, detail: String? = nil)
    /// Audio; `format` is `wav` or `mp3`.
    case audio(Data, format: String)

    /// Creates an image from its bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes of the image file.
    ///   - mediaType: The media type, such as `image/jpeg` or `image/png`.
    ///   - detail: The resolution to process, such as `low`; `nil` leaves it to the server.
    public static func image(_ data: Data, mediaType: String, detail: String? = nil) -> ChatCompletionContentPart {
        .imageURL("data:\(mediaType);base64,\(data.base64EncodedString())", detail: detail)
    }

    /// The part in the format of OpenAI's API.
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
