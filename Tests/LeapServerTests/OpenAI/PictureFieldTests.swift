import Foundation
import LeapEngine
import LeapJSON
import Testing

@testable import LeapServer

/// Images in the fields of all APIs.
@Suite("Image fields")
struct PictureFieldTests {
    /// An API, by how it writes an image.
    enum Wire: CaseIterable {
        case chats, responses, messages, ollama

        var field: String {
            switch self {
            case .chats: "messages[0].content[0].image_url"
            case .responses: "input[0].content[0].image_url"
            case .messages: "messages[0].content[0].source.data"
            case .ollama: "messages[0].images[0]"
            }
        }

        /// Whether it has URLs.
        var hasURLs: Bool { self == .chats || self == .responses }

        /// Reads a request with an image.
        func read(_ image: String) throws -> Picture? {
            let image = JSONValue.string(image)
            switch self {
            case .chats:
                return try MessageReader.messages(
                    [["role": "user", "content": [["type": "image_url", "image_url": ["url": image]]]]],
                    path: "messages"
                ).first?.pictures.first
            case .responses:
                return try MessageReader.messages(
                    [["role": "user", "content": [["type": "input_image", "image_url": image]]]], path: "input"
                ).first?.pictures.first
            case .messages:
                let source: JSONValue = ["type": "base64", "media_type": "image/png", "data": image]
                let content: JSONValue = [["type": "image", "source": source]]
                let fields: JSONValue = [
                    "model": "m", "max_tokens": 1, "messages": [["role": "user", "content": content]],
                ]
                _ = try MessagesRequest(FieldReader(try #require(fields.object)))
                return nil
            case .ollama:
                let message: JSONValue = ["role": "user", "content": "a", "images": [image]]
                let fields: JSONValue = ["model": "m", "messages": [message]]
                let request = try OllamaRequest.chat(FieldReader(try #require(fields.object)))
                guard case .chat(let chat)? = request.job?.subject else { return nil }
                return chat.messages.first?.pictures.first
            }
        }
    }

    @Test("An error names the field once, and data: URLs only where there are some", arguments: Wire.allCases)
    func errors(wire: Wire) throws {
        let image = (wire.hasURLs ? "data:image/png;base64," : "") + "AQID*"
        let expected = wire.hasURLs ? "a data: URL with an image in valid base64" : "an image in valid base64"
        let error = #expect(throws: APIError.self) { try wire.read(image) }
        #expect(error?.param == wire.field)
        #expect(error?.message == "'\(wire.field)' must be \(expected), found \(image)")
    }

    @Test("Base64 of either alphabet is read, with white space or without padding", arguments: Wire.allCases)
    func variants(wire: Wire) throws {
        for text in ["++//AQ==", "--__AQ", "++//\r\nAQ=="] {
            let picture = try wire.read((wire.hasURLs ? "data:image/png;base64," : "") + text)
            guard wire != .messages else { continue }
            #expect(picture?.bytes == Data([0xFB, 0xEF, 0xFF, 0x01]), "\(text)")
        }
    }

    @Test("A web address is refused", arguments: [Wire.chats, .responses])
    func addresses(wire: Wire) throws {
        let error = #expect(throws: APIError.self) { try wire.read("https://example.com/a.png") }
        #expect(error?.message.contains("because URLs are not fetched, found https://example.com/a.png") == true)
    }

    @Test("ollama's images may be data: URLs")
    func urlsForOllama() throws {
        #expect(try Wire.ollama.read("data:image/png;base64,AQID")?.bytes == Data([1, 2, 3]))
    }
}
