import LeapImages
import Testing

/// Errors say exactly what is wrong with a file.
@Suite("Faulty image files")
struct FaultTests {
    private static func canRead(_ formats: ImageFormat...) -> Bool {
        formats.allSatisfy { ImageDecoder.obstacle(to: $0) == nil }
    }

    private static func error(_ bytes: [UInt8]) -> ImageError? {
        do {
            _ = try ImageDecoder.decode(bytes)
            return nil
        } catch { return error }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let count = UInt32(data.count)
        // Checksums of chunks are not compared.
        return withUnsafeBytes(of: count.bigEndian, Array.init) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    /// A PNG file of 2 × 1 pixels.
    ///
    /// - Parameter rows: The data to be inflated; it is stored uncompressed.
    private static func png(type: UInt8, bits: UInt8 = 8, interlacing: UInt8 = 0, rows: [UInt8]?) -> [UInt8] {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let header = chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 1, bits, type, 0, 0, interlacing])
        let data = rows.map { rows in
            let count = UInt8(rows.count)
            return chunk("IDAT", [0x78, 0x01, 0x01, count, 0, ~count, 0xFF] + rows)
        }
        return signature + header + (data ?? []) + chunk("IEND", [])
    }

    @Test("A truncated file is reported as truncated", .enabled(if: canRead(.jpeg, .png, .webp)))
    func cutOff() throws {
        for name in ["baseline.jpg", "progressive.jpg", "rgb.png", "pieces.png"] {
            let bytes = try ImageData.bytes(name)
            let format: ImageFormat = name.hasSuffix("jpg") ? .jpeg : .png
            #expect(Self.error(Array(bytes[..<(bytes.count / 2)])) == .truncated(format: format), "\(name)")
        }
        for name in ["lossless.webp", "lossy.webp"] {
            let bytes = try ImageData.bytes(name)
            #expect(Self.error(Array(bytes[..<(bytes.count / 2)])) != nil, "\(name)")
            #expect(Self.error(Array(bytes[..<20])) == .truncated(format: .webp), "\(name)")
        }
    }

    #if !canImport(ImageIO)
    /// A progressive JPEG file with empty scans.
    private static func jpeg(side: UInt16, scans: Int) -> [UInt8] {
        func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, code, 0, UInt8(data.count + 2)] + data }
        let sides = withUnsafeBytes(of: side.bigEndian, Array.init)
        let frame = segment(0xC2, [8] + sides + sides + [1, 1, 0x11, 0])
        let scan = segment(0xDA, [1, 1, 0, 1, 63, 0x10]) + [0x7F, 0xFF, 0]
        return [0xFF, 0xD8] + frame + (0..<scans).flatMap { _ in scan } + [0xFF, 0xD9]
    }

    @Test("A JPEG image may have as many scans as programs write, and more only if it is small")
    func scans() {
        func isTooLong(_ side: UInt16, _ scans: Int) -> Bool {
            guard case .damaged(_, let reason)? = Self.error(Self.jpeg(side: side, scans: scans)) else { return false }
            return reason == "it has \(scans) scans, too many for \(side)×\(side) pixels"
        }
        #expect(!isTooLong(7040, 20) && isTooLong(7040, 21) && isTooLong(7040, 499))
        #expect(!isTooLong(1000, 499) && !isTooLong(1000, 1000) && isTooLong(1000, 1001))
    }
    #endif

    @Test("Data after the end of an image is ignored", .enabled(if: canRead(.jpeg, .png, .webp)))
    func behind() throws {
        for name in ["baseline.jpg", "rgb.png", "lossless.webp"] {
            let bytes = try ImageData.bytes(name)
            #expect(try ImageDecoder.decode(bytes + [UInt8](repeating: 0xFF, count: 100)) == ImageDecoder.decode(bytes))
        }
    }

    @Test("An intact file of the kind that the next test damages is decoded", .enabled(if: canRead(.png)))
    func intact() throws {
        let image = try ImageDecoder.decode(Self.png(type: 2, rows: [0, 1, 2, 3, 4, 5, 6]))
        #expect(image.pixels == [1, 2, 3, 4, 5, 6])
    }

    @Test("Errors state what is wrong with a PNG file", .enabled(if: canRead(.png)))
    func damagedPNG() {
        func reason(_ bytes: [UInt8]) -> String { Self.error(bytes).map { "\($0)" } ?? "nothing" }
        #expect(Self.error(Self.png(type: 2, rows: nil)) == .truncated(format: .png))
        #expect(Self.error(Self.png(type: 2, rows: [0, 1, 2])) == .truncated(format: .png))
        #expect(reason(Self.png(type: 3, rows: [0, 1, 2])).contains("it has no palette"))
        #expect(reason(Self.png(type: 2, rows: [5, 1, 2, 3, 4, 5, 6])).contains("row 0 uses the unknown filter 5"))
        for (type, bits, interlacing) in [(1, 8, 0), (5, 8, 0), (2, 4, 0), (3, 16, 0), (0, 3, 0), (6, 8, 2)] {
            let file = Self.png(type: UInt8(type), bits: UInt8(bits), interlacing: UInt8(interlacing), rows: [0])
            #expect(reason(file).contains("its header is invalid: colour type \(type), \(bits) bits"))
        }
    }

    @Test(
        "Unsupported formats are named in the error",
        arguments: [
            ("BM", "BMP"), ("II*\0", "TIFF"), ("MM\0*", "TIFF"), ("\0\0\0\u{1C}ftypavif", "AVIF"),
            ("<svg/>", "bytes starting with 3C 73 76 67 2F 3E"),
        ])
    func named(beginning: String, name: String) {
        let expected = ImageError.unsupportedFormat(found: name, supported: ImageFormat.supported)
        #expect(Self.error(Array(beginning.utf8)) == expected)
        #expect(Self.error([]) == .empty)
    }
}

@Suite("Error texts about images")
struct ImageErrorTextTests {
    @Test(
        "An error says what failed and what to do",
        arguments: [
            (ImageError.empty, "the image is empty: its file has no bytes."),
            (
                .unsupportedFormat(found: "GIF", supported: [.jpeg, .png]),
                "unsupported image format: found GIF. Supported: JPEG, PNG. Convert the image to one of them."
            ),
            (
                .missingLibrary(format: .jpeg, library: "libturbojpeg.so.0", package: "libturbojpeg0"),
                "JPEG images are decoded by libturbojpeg.so.0, which is not installed. Install it "
                    + "(Debian: apt-get install libturbojpeg0), or convert the image to another format."
            ),
            (
                .truncated(format: .png),
                "the PNG image is truncated: the file ends too early. Use an intact copy."
            ),
            (
                .damaged(format: .webp, reason: "its canvas is bent"),
                "the WebP image is damaged: its canvas is bent. Use an intact copy."
            ),
            (
                .noPixels(format: .png, size: ImageSize(width: 0, height: 7)),
                "the PNG image has no pixels: its size is 0×7."
            ),
            (
                .tooLarge(format: .jpeg, size: ImageSize(width: 20_000, height: 3), limits: .standard),
                "the JPEG image is too large: 20000×3 pixels; the limits are 16384 per side and 50000000 in "
                    + "total. Resize it."
            ),
        ])
    func texts(error: ImageError, text: String) {
        #expect(error.description == text)
        #expect(error.errorDescription == text)
    }
}
