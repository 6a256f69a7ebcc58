/// EXIF data as ImageMagick wrote it before the format had a chunk for it: text with a blank line, the profile's name,
/// its size, and hexadecimal digits. Like Pillow, ignores the name and the size.
enum PNGTextProfile {
    private static let keyword = Array("Raw profile type exif\0".utf8)
    /// The most characters of a text that are read, which is also Pillow's limit.
    private static let limit = 1 << 20
    private static let lineEnd = UInt8(ascii: "\n")

    /// Whether a chunk is a text with this name.
    static func isThere(in chunk: PNGChunk) -> Bool {
        ["tEXt", "zTXt", "iTXt"].contains(chunk.name) && chunk.data.begin(with: keyword)
    }

    /// The orientation that the text of a chunk states.
    static func orientation(in chunk: PNGChunk) -> Orientation {
        guard let text = text(of: chunk) else { return .upright }
        let lines = text.split(separator: lineEnd, maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4 else { return .upright }
        return bytes(lines[3]).withUnsafeBufferPointer { EXIF.orientation(in: FileBytes($0)) }
    }

    /// `nil` if it cannot be inflated.
    private static func text(of chunk: PNGChunk) -> [UInt8]? {
        var rest = chunk.data.dropping(keyword.count)
        var isCompressed = chunk.name == "zTXt"
        if chunk.name == "iTXt" {
            isCompressed = rest[0] == 1
            rest = rest.dropping(2)
            for _ in 0..<2 { rest = rest.droppingThroughZero() }  // the language tag and the translated keyword
        } else if isCompressed {
            rest = rest.dropping(1)  // the compression method, of which there is only one
        }
        guard isCompressed else { return rest.prefix(limit) }
        return Zlib.shared.flatMap { zlib in try? Inflation(of: [rest], zlib).prefix(limit) }
    }

    /// The bytes of hexadecimal digits, up to the first other character.
    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8] {
        let digits = text.lazy.filter { $0 > UInt8(ascii: " ") }.prefix { Character(UnicodeScalar($0)).isHexDigit }
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value = UInt8(Character(UnicodeScalar(digit)).hexDigitValue ?? 0)
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        return bytes
    }
}
