import Foundation
import LeapJSON
import LeapSDK
import Testing

@Suite("Images")
struct ImageTests {
    private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A])

    private static let webp = Data(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WEBPVP8 ".utf8))

    @Test(
        "an image keeps its media type through JSON",
        arguments: [(jpeg, "image/jpeg"), (png, "image/png"), (webp, "image/webp")])
    func kinds(data: Data, type: String) throws {
        for part in [.fromImageData(data), ChatMessageContent.fromPNGData(data), .fromJPEGData(data)] {
            let url = try #require(part.json["image_url"]?["url"]?.string)
            #expect(url == "data:\(type);base64,\(data.base64EncodedString())")
            #expect(try ChatMessageContent(json: part.json) == part && part.validated() == part)
            #expect(ChatMessageContent.image(url: url) == part)
        }
    }

    @Test("data that is not a supported image is rejected by validation")
    func unsupportedImages() {
        let sound = Data(Array("RIFF".utf8) + [4, 0, 0, 0] + Array("WAVEfmt ".utf8))
        let files = [Data("GIF89a".utf8), sound].map(ChatMessageContent.fromImageData)
        for part in files + [.image(url: "https://example.com/a.jpg")] {
            #expect {
                try part.validated()
            } throws: {
                "\($0)"
                    == "the JSON cannot be used: the image cannot be used: it is not a JPEG, PNG or WebP file"
            }
        }
    }

    @Test(
        "data: URLs are decoded whatever they say of their type",
        arguments: [
            "data:image/jpg;base64,", "data:image/PNG;base64,", "DATA:;BASE64,", "data:image/png;charset=utf-8;base64,",
        ])
    func dataURLs(prefix: String) throws {
        let text = Self.png.base64EncodedString()
        #expect(ChatMessageContent.image(url: prefix + text) == .image(Self.png))
        #expect(ChatMessageContent.image(url: prefix + text.prefix(4) + "\r\n" + text.dropFirst(4)) == .image(Self.png))
        let json: JSONValue = ["type": "image_url", "image_url": ["url": .string(prefix + text)]]
        #expect(try ChatMessageContent(json: json) == .image(Self.png))
    }

    @Test("a GIF file keeps its media type through JSON")
    func gif() throws {
        let part = ChatMessageContent.image(url: "data:image/gif;base64,R0lGODlh")
        #expect(part == .image(Data("GIF89a".utf8)))
        #expect(part.json["image_url"]?["url"] == "data:image/gif;base64,R0lGODlh")
        #expect(try ChatMessageContent(json: part.json) == part)
    }

    @Test(
        "other URLs are kept unchanged, and are no images",
        arguments: [
            "HTTPS://example.com/a.png", "http://example.com/a.png", "file:///tmp/a.png", "data:image/png;base64,AQ*",
            "data:text/plain,a",
        ])
    func otherURLs(url: String) {
        let part = ChatMessageContent.image(url: url)
        #expect(part.json["image_url"]?["url"]?.string == url)
        #expect(throws: LeapError.self) { try part.validated() }
    }

    // The reference was made with Python's zlib and struct modules.
    @Test("raw RGB pixels become a PNG file")
    func rawColours() throws {
        let pixels = Data([255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3])
        guard case .image(let png) = try ChatMessageContent.fromRGB8(pixels, width: 2, height: 2) else {
            Issue.record("not an image")
            return
        }
        let reference =
            "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAGUlEQVR4AQEOAPH/AP8AAAD/AAAAAP8BAgMZ/gMEjEGukwAAAABJRU5E"
            + "rkJggg=="
        #expect(png.base64EncodedString() == reference)
    }

    @Test("large images are written in several deflate blocks")
    func severalBlocks() throws {
        let (width, height) = (300, 200)
        let part = try ChatMessageContent.fromRGB8(
            Data(count: 3 * width * height), width: width, height: height)
        guard case .image(let png) = part else {
            Issue.record("not an image")
            return
        }
        #expect(png.count == 3 * width * height + height + 3 * 5 + 6 + 8 + 3 * 12 + 13)
        // Adler-32 and CRC-32 of what is longer than a sum can be without being reduced, also by Python's zlib.
        let white = Data(repeating: 255, count: 3 * width * height)
        guard case .image(let file) = try ChatMessageContent.fromRGB8(white, width: width, height: height) else {
            return
        }
        #expect(Array(file.dropLast(12).suffix(8)) == [0xE5, 0x98, 0x89, 0xE5, 0xB7, 0x3E, 0xF0, 0x2A])
    }

    @Test("dimensions that do not match the bytes are rejected", arguments: [(0, 0), (1, 2), (-1, -1), (Int.max, 2)])
    func sizes(width: Int, height: Int) {
        #expect {
            try ChatMessageContent.fromRGB8(Data(count: 3), width: width, height: height)
        } throws: {
            "\($0)".hasSuffix("expected \(width) × \(height) pixels of 3 bytes, found 3 bytes")
        }
    }
}
