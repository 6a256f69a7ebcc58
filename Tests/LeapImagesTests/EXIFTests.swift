import Testing
import _LeapTestSupport

@testable import LeapImages

@Suite("EXIF data")
struct EXIFTests {
    /// A block with entries of tag, type, count and value; the value's bytes are left-aligned, as the format requires.
    private static func block(
        isBigEndian: Bool, directory: UInt32 = 8, entries: [(tag: UInt16, type: UInt16, count: UInt32, value: UInt32)]
    ) -> [UInt8] {
        func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian, Array.init)
        }
        var block = isBigEndian ? Array("MM\0*".utf8) : Array("II*\0".utf8)
        block += bytes(directory) + bytes(UInt16(entries.count))
        for entry in entries {
            block += bytes(entry.tag) + bytes(entry.type) + bytes(entry.count)
            block += entry.type != 4 ? bytes(UInt16(truncatingIfNeeded: entry.value)) + [0, 0] : bytes(entry.value)
        }
        return block + bytes(UInt32(0))
    }

    private static func orientation(in block: [UInt8]) -> Int {
        block.withUnsafeBufferPointer { EXIF.orientation(in: FileBytes($0)).rawValue }
    }

    @Test("An orientation is found in both byte orders and types", arguments: 1...8, [true, false])
    func found(orientation: Int, isBigEndian: Bool) {
        for type: UInt16 in [3, 4, 8] {
            let block = Self.block(
                isBigEndian: isBigEndian, entries: [(0x010F, 2, 4, 0), (0x0112, type, 1, UInt32(orientation))])
            #expect(Self.orientation(in: block) == orientation)
            #expect(Self.orientation(in: Array("Exif\0\0".utf8) + block) == orientation)
        }
    }

    @Test("An invalid block leaves the image's orientation unchanged", arguments: [true, false])
    func senseless(isBigEndian: Bool) {
        let faults: [(directory: UInt32, tag: UInt16, type: UInt16, count: UInt32, value: UInt32)] = [
            (8, 0x0112, 3, 1, 0), (8, 0x0112, 3, 1, 9), (8, 0x0112, 4, 1, .max), (8, 0x0112, 2, 1, 6),
            (8, 0x0112, 3, 0, 6), (8, 0x0112, 4, 2, 6), (8, 0x0112, 3, .max, 6), (8, 0x0113, 3, 1, 6),
            (0, 0x0112, 3, 1, 6), (7, 0x0112, 3, 1, 6), (1 << 31, 0x0112, 3, 1, 6), (.max, 0x0112, 3, 1, 6),
        ]
        for fault in faults {
            let block = Self.block(
                isBigEndian: isBigEndian, directory: fault.directory,
                entries: [(fault.tag, fault.type, fault.count, fault.value)])
            #expect(Self.orientation(in: block) == 1, "\(fault)")
        }
    }

    @Test("Of several values the first counts, in the entry or elsewhere, as in Pillow")
    func severalValues() {
        #expect(Self.orientation(in: Self.block(isBigEndian: false, entries: [(0x0112, 3, 2, 6)])) == 6)
        // After the header, the number of entries, one entry and the end of the directory.
        let block = Self.block(isBigEndian: true, entries: [(0x0112, 4, 2, 26)])
        #expect(Self.orientation(in: block + [0, 0, 0, 8, 0, 0, 0, 1]) == 8)
        #expect(Self.orientation(in: block + [0, 0, 0, 8, 0, 0, 0]) == 1)
    }

    #if !canImport(ImageIO)
    @Test("A block in several segments of a JPEG file is read as one")
    func splitBlock() throws {
        func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, code, 0, UInt8(data.count + 2)] + data }
        func orientation(_ blocks: [[UInt8]]) throws -> Int {
            let segments = blocks.flatMap { segment(0xE1, Array("Exif\0\0".utf8) + $0) }
            let file = [0xFF, 0xD8] + segments + segment(0xC0, [8, 0, 1, 0, 2, 1])
            return try file.withUnsafeBufferPointer { try JPEGFile(FileBytes($0)).orientation.rawValue }
        }
        let block = Self.block(isBigEndian: false, entries: [(0x0112, 3, 1, 6)])
        for count in 1...block.count {
            #expect(try orientation([Array(block.prefix(count)), Array(block.dropFirst(count))]) == 6)
        }
        let upright = Self.block(isBigEndian: false, entries: [(0x0112, 3, 1, 1)])
        #expect(try orientation([upright, block]) == 1 && orientation([block, upright]) == 6)
    }
    #endif

    @Test("A block that is truncated or claims too many entries leaves the orientation unchanged")
    func cut() {
        var block = Self.block(isBigEndian: true, entries: [(0x010F, 2, 4, 0), (0x0112, 3, 1, 6)])
        #expect(Self.orientation(in: block) == 6)
        for count in 0..<32 { #expect(Self.orientation(in: Array(block[..<count])) == 1, "\(count) bytes") }
        // With another tag, so that all entries are examined.
        (block[8], block[9], block[23]) = (0xFF, 0xFF, 0x13)
        #expect(Self.orientation(in: block) == 1)
    }

    /// A PNG file without rows, of a header and some chunks.
    private static func png(_ chunks: [(name: String, data: [UInt8])]) -> [UInt8] {
        let header: [UInt8] = [0, 0, 0, 2, 0, 0, 0, 1, 8, 2, 0, 0, 0]
        return ([("IHDR", header)] + chunks + [("IEND", [])]).reduce(PNGFile.signature) { file, chunk in
            let size = withUnsafeBytes(of: UInt32(chunk.1.count).bigEndian, Array.init)
            return file + size + Array(chunk.0.utf8) + chunk.1 + [0, 0, 0, 0]
        }
    }

    private static func orientation(ofPNG chunks: [(name: String, data: [UInt8])]) throws -> Int {
        try png(chunks).withUnsafeBufferPointer { try PNGFile(FileBytes($0)).orientation.rawValue }
    }

    /// A text in a stored (uncompressed) block of zlib.
    private static func stored(_ text: [UInt8]) -> [UInt8] {
        let count = withUnsafeBytes(of: UInt16(text.count).littleEndian, Array.init)
        return [0x78, 0x01, 0x01] + count + count.map { ~$0 } + text
    }

    @Test("A hexadecimal EXIF profile is found in every kind of text chunk; an eXIf chunk takes precedence")
    func textProfiles() throws {
        let block = Array("Exif\0\0".utf8) + Self.block(isBigEndian: false, entries: [(0x0112, 3, 1, 6)])
        let digits = block.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let lines = [digits.prefix(20).joined(), digits.dropFirst(20).joined()]
        let text = Array("\nexif\n      \(block.count)\n\(lines.joined(separator: "\n"))\n".utf8)
        let name = Array("Raw profile type exif\0".utf8)
        let packed = Self.stored(text)
        let chunks: [(name: String, data: [UInt8])] = [
            ("tEXt", name + text), ("zTXt", name + [0] + packed),
            ("iTXt", name + [0, 0] + Array("en\0x\0".utf8) + text), ("iTXt", name + [1, 0, 0, 0] + packed),
        ]
        let chunk = ("eXIf", Self.block(isBigEndian: true, entries: [(0x0112, 3, 1, 3)]))
        for text in chunks {
            #expect(try Self.orientation(ofPNG: [text]) == 6, "\(text.name)")
            #expect(try Self.orientation(ofPNG: [text, chunk]) == 3)
            for count in 0..<text.data.count - 40 {
                let cut = (text.name, Array(text.data.prefix(count)))
                #expect(try Self.orientation(ofPNG: [cut]) == 1, "\(text.name), \(count) bytes")
            }
        }
        #expect(try Self.orientation(ofPNG: [("tEXt", Array("Raw profile type xmp\0".utf8) + text)]) == 1)
        #expect(try Self.orientation(ofPNG: [("zTXt", name + [0, 1, 2, 3])]) == 1)
    }

    @Test("Random bytes give a valid orientation")
    func noise() {
        var random = SeededRandomNumberGenerator(seed: 11)
        for _ in 0..<2_000 {
            let block = Array("II*\0".utf8) + random.bytes(count: Int.random(in: 0...60, using: &random))
            #expect((1...8).contains(Self.orientation(in: block)))
        }
    }

    @Test(
        "Rotated and mirrored images have their pixels at the positions that the orientation defines",
        arguments: 1...8)
    func turned(number: Int) throws {
        let (width, height) = (131, 70)
        let orientation = try #require(Orientation(rawValue: number))
        let image = try #require(ImageData.pattern(width: width, height: height))
        let turned = image.turned(orientation)
        #expect(turned.size == orientation.shown(image.size))
        for y in 0..<turned.height {
            for x in 0..<turned.width {
                // By the definition of the numbers: where row 0 and column 0 of the stored image are displayed.
                let (column, row) = [
                    (x, y), (width - 1 - x, y), (width - 1 - x, height - 1 - y), (x, height - 1 - y),
                    (y, x), (y, height - 1 - x), (width - 1 - y, height - 1 - x), (width - 1 - y, x),
                ][number - 1]
                let (found, stored) = ((y * turned.width + x) * 3, (row * width + column) * 3)
                guard turned.pixels[found..<found + 3] == image.pixels[stored..<stored + 3] else {
                    Issue.record("pixel \(x), \(y)")
                    return
                }
            }
        }
    }
}
