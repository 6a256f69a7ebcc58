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
