import Foundation
import LeapDigest
import Testing
import _LeapTestSupport

@testable import LeapImages

@Suite struct DecodingTests {
    static let names = ImageData.pictures.keys.sorted()

    /// JPEG decoders differ in how they round their transforms.
    static let jpegTolerance = 2

    private static func isReadable(_ name: String) -> Bool {
        let format: ImageFormat = name.hasSuffix("png") ? .png : name.hasSuffix("jpg") ? .jpeg : .webp
        return ImageDecoder.obstacle(to: format) == nil
    }

    @Test("Formats have their registered media types")
    func mediaTypes() {
        #expect(
            ImageFormat.allCases.map(\.mediaType) == [
                "image/jpeg", "image/png", "image/webp", "image/gif", "image/heic", "image/avif", "image/jxl",
                "image/tiff",
                "image/bmp",
            ])
    }

    @Test("The image fixtures are present")
    func hasPictures() { #expect(Self.names.count > 25) }

    @Test("Decoded pixels match Pillow's, including the orientation", arguments: names.filter { isReadable($0) })
    func pixels(name: String) throws {
        let bytes = try ImageData.bytes(name)
        let expected = try #require(ImageData.pictures[name])
        let header = try ImageDecoder.header(of: bytes)
        let image = try ImageDecoder.decode(bytes)
        #expect(image.size == header.size)
        #expect(image.width == expected.width && image.height == expected.height)
        if name.hasSuffix("jpg") || name == "lossy.webp" {
            for (row, values) in zip([0, image.height / 2], expected.rows) {
                let worst: Int = zip(image.row(row), values).map { abs(Int($0) - Int($1)) }.max() ?? 0
                #expect(worst <= Self.jpegTolerance, "row \(row)")
            }
        } else {
            let digest = SHA256.hash(data: image.pixels).map { String(format: "%02x", $0) }.joined()
            #expect(digest == expected.sha256)
        }
    }

    @Test("Unsupported formats and data that is not an image are refused")
    func unsupported() throws {
        let gif = try ImageData.bytes("picture.gif")
        #if !canImport(ImageIO)
        #expect { try ImageDecoder.decode(gif) } throws: { "\($0)".contains("found GIF") }
        #endif
        for text in ["", "x", "<svg/>", "http://example.com/cat.png"] {
            #expect(throws: ImageError.self) { try ImageDecoder.decode(Array(text.utf8)) }
        }
    }

    /// A PNG file without pixels whose header states a size. Decoding reports that it is truncated before memory for
    /// pixels is allocated, so any other error was found even earlier.
    private static func png(width: UInt32, height: UInt32) -> [UInt8] {
        func big(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        let header = Array("IHDR".utf8) + big(width) + big(height) + [8, 2, 0, 0, 0]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + big(13) + header + big(0)
    }

    @Test(
        "Sizes of zero and beyond the limits are refused before memory is allocated",
        arguments: [(0, 10), (10, 0), (16_385, 1), (1, 100_000), (16_384, 16_384), (UInt32.max, UInt32.max)])
    func limits(width: UInt32, height: UInt32) {
        let size = ImageSize(width: Int(width), height: Int(height))
        let expected: ImageError =
            width == 0 || height == 0
            ? .noPixels(format: .png, size: size) : .tooLarge(format: .png, size: size, limits: .standard)
        let bytes = Self.png(width: width, height: height)
        #expect(throws: expected) { try ImageDecoder.decode(bytes) }
        #expect(throws: expected) { try ImageDecoder.header(of: bytes) }
    }

    @Test("A file without pixels is truncated if its size is within the limits", .enabled(if: isReadable("png")))
    func withoutPixels() {
        #expect(throws: ImageError.truncated(format: .png)) {
            try ImageDecoder.decode(Self.png(width: 5_000, height: 10_000))
        }
    }

    @Test(
        "A truncated file is refused or decodes to an image of the size in its header",
        arguments: names.filter { isReadable($0) })
    func truncated(name: String) throws {
        let bytes = try ImageData.bytes(name)
        for length in stride(from: 0, to: bytes.count, by: 3) {
            Self.expectSane(Array(bytes[..<length]))
        }
    }

    @Test(
        "A file with random changes is refused or decodes to an image of the size in its header",
        arguments: names.filter { isReadable($0) })
    func mutated(name: String) throws {
        let bytes = try ImageData.bytes(name)
        var random = SeededRandomNumberGenerator(seed: 5)
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<changed.count, using: &random)
                changed[place] = UInt8.random(in: 0...255, using: &random)
            }
            Self.expectSane(changed)
        }
    }

    private static func expectSane(_ bytes: [UInt8]) {
        guard let image = try? ImageDecoder.decode(bytes) else { return }
        #expect((try? ImageDecoder.header(of: bytes).size) == image.size)
        #expect(image.pixels.count == image.width * image.height * 3)
    }
}
