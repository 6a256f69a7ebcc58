import Foundation
import LeapImages

/// Files written by Pillow, and what Pillow decodes from them; see scripts/make-pictures.
enum ImageData {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Data")

    static func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appending(path: name))) }

    static func decoded<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: folder.appending(path: name)))
    }

    /// The pixels that Pillow decodes from a file.
    struct Picture: Decodable {
        let width: Int
        let height: Int
        let sha256: String
        /// The first row and the one in the middle.
        let rows: [[UInt8]]
    }

    static let pictures = (try? decoded("decoded.json", as: [String: Picture].self)) ?? [:]

    /// A synthetic image, from no file: `(37x + 101y + 59c + xy) mod 256`.
    static func pattern(width: Int, height: Int) -> RGBImage? {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { for c in 0..<3 { pixels.append(UInt8((37 * x + 101 * y + 59 * c + x * y) & 255)) } }
        }
        return RGBImage(width: width, height: height, pixels: pixels)
    }
}
