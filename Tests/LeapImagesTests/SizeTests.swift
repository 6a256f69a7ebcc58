import Foundation
import LeapDigest
import Testing

@testable import LeapImages

@Suite struct SizeTests {
    struct Resized: Decodable, Sendable {
        let from: [Int]
        let to: [Int]
        let filter: String
        let sha256: String
    }

    @Test("Resized images equal Pillow's byte for byte")
    func resized() throws {
        let cases = try ImageData.decoded("resized.json", as: [Resized].self)
        #expect(cases.count > 50)
        for example in cases {
            let image = try #require(ImageData.pattern(width: example.from[0], height: example.from[1]))
            let found = image.resized(
                to: ImageSize(width: example.to[0], height: example.to[1]),
                filter: example.filter == "bicubic" ? .bicubic : .bilinear)
            let digest = SHA256.hash(data: found.pixels).map { String(format: "%02x", $0) }.joined()
            #expect(digest == example.sha256, "\(example.from) to \(example.to), \(example.filter)")
        }
    }

    @Test("Sizes and tiles match the vendor's image processor")
    func layouts() throws {
        let cases = try ImageData.decoded("layouts.json", as: [[Int]].self)
        #expect(cases.count > 200)
        for example in cases {
            let layout = ImageTiling().layout(of: ImageSize(width: example[0], height: example[1]))
            let (columns, rows) = (layout.grid?.columns ?? 0, layout.grid?.rows ?? 0)
            let whole = try #require(layout.pictures.last)
            // Of a picture that is thinner than a token, the vendor's processor exceeds the limit of 256 tokens of 32 pixels.
            let expected = example[2...3] + example[4...5].map { min($0, 256 * 32) }
            #expect([columns, rows, whole.width, whole.height] == Array(expected), "\(example[0]) x \(example[1])")
            #expect(layout.pictures.count == columns * rows + 1)
            #expect(layout.hasThumbnail == (columns > 0))
        }
    }

    @Test(
        "Tiles are cut row by row and have the sizes in the layout", arguments: [(1100, 1000), (40, 30), (1600, 500)])
    func pictures(width: Int, height: Int) throws {
        let image = try #require(ImageData.pattern(width: width, height: height))
        let (layout, pictures) = (ImageTiling().layout(of: image.size), ImageTiling().pictures(of: image))
        #expect(pictures.map(\.size) == layout.pictures)
        guard let grid = layout.grid else { return }
        let whole = image.resized(to: ImageSize(width: grid.columns * 512, height: grid.rows * 512))
        let last = pictures[grid.columns * grid.rows - 1]
        #expect(last.row(511) == whole.row(grid.rows * 512 - 1).suffix(512 * 3))
    }

    @Test("Invalid tiling parameters are clamped to the smallest valid values")
    func invalidParameters() {
        let tiling = ImageTiling(patch: 0, unshuffle: 0, tile: 0, tokens: 0...0, tiles: -3...0)
        let layout = tiling.layout(of: ImageSize(width: 40, height: 30))
        #expect(layout.pictures.allSatisfy { $0.width > 0 && $0.height > 0 })
        #expect(layout.grid == nil || layout.grid == ImageLayout.Grid(columns: 1, rows: 1))
    }

    @Test("A flat image counts as one patch high when tiling is decided, whatever the unshuffle factor")
    func flat() {
        // 2,048 × 1 pixels are counted as 2,048 × 16, which is twice 16 times 32 × 32.
        for (tokens, isCut) in [(15, true), (16, false)] {
            for unshuffle in [1, 2, 4] {
                let side = 16 * unshuffle
                let tiling = ImageTiling(unshuffle: unshuffle, tokens: 1...(tokens * 32 * 32 / side / side))
                #expect((tiling.layout(of: ImageSize(width: 2048, height: 1)).grid != nil) == isCut)
            }
        }
    }

    @Test(
        "A picture of a few pixels per token in height has no more tokens than allowed",
        arguments: [(64, 256), (256, 256), (1, 16), (1024, 1024)])
    func thin(fewest: Int, most: Int) {
        let tiling = ImageTiling(tokens: fewest...most)
        for size in [ImageSize(width: 1, height: 16_384), ImageSize(width: 16_384, height: 1)] {
            let layout = tiling.layout(of: size)
            #expect(layout.tokens(ofPicture: layout.pictures.count - 1) <= most, "\(size)")
            #expect(layout.pictures.allSatisfy { min($0.width, $0.height) >= 32 })
        }
    }

    @Test("Patches hold all red values, then green, then blue, row by row")
    func patches() throws {
        let image = try #require(ImageData.pattern(width: 64, height: 32))
        let normalization = try #require(
            PatchNormalization(mean: [0.5, 0.4, 0.3], deviation: [0.5, 0.25, 0.2]))
        let found = normalization.patches(of: image, side: 16)
        #expect(found.count == 8 * 3 * 256)
        for (patch, color, y, x) in [(0, 0, 0, 0), (3, 2, 15, 15), (4, 1, 0, 7), (7, 0, 9, 3)] {
            let (column, row) = (patch % 4 * 16 + x, patch / 4 * 16 + y)
            let byte = Double((37 * column + 101 * row + 59 * color + column * row) & 255)
            let expected = (byte / 255 - [0.5, 0.4, 0.3][color]) / [0.5, 0.25, 0.2][color]
            #expect(abs(Double(found[((patch * 3 + color) * 16 + y) * 16 + x]) - expected) < 1e-6)
        }
        #expect(PatchNormalization(mean: [0, 0, 0], deviation: [1, 0, 1]) == nil)
        #expect(PatchNormalization(mean: [0, .nan, 0], deviation: [1, 1, 1]) == nil)
    }
}
