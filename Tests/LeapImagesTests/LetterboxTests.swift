import Testing

@testable import LeapImages

@Suite struct LetterboxTests {
    @Test(
        "The image keeps its aspect ratio, centred on black",
        arguments: [
            // Images that fill the width, the height, and neither without rounding up.
            (ImageSize(width: 90, height: 30), ImageSize(width: 64, height: 64), ImageSize(width: 64, height: 22)),
            (ImageSize(width: 30, height: 90), ImageSize(width: 64, height: 64), ImageSize(width: 22, height: 64)),
            (ImageSize(width: 50, height: 31), ImageSize(width: 96, height: 64), ImageSize(width: 96, height: 60)),
            (ImageSize(width: 500, height: 1), ImageSize(width: 64, height: 32), ImageSize(width: 64, height: 1)),
        ])
    func proportions(from size: ImageSize, to area: ImageSize, inner: ImageSize) throws {
        let image = try #require(ImageData.pattern(width: size.width, height: size.height))
        let boxed = image.letterboxed(in: area, filter: .bilinear)
        #expect(boxed.size == area)
        let (left, top) = ((area.width - inner.width) / 2, (area.height - inner.height) / 2)
        #expect(boxed.cropped(x: left, y: top, to: inner) == image.resized(to: inner))
        var bordered = [UInt8](repeating: 0, count: boxed.pixels.count)
        let filled = image.resized(to: inner)
        for row in 0..<inner.height {
            let start = ((top + row) * area.width + left) * 3
            bordered.replaceSubrange(start..<start + inner.width * 3, with: filled.row(row))
        }
        #expect(boxed.pixels == bordered)
    }

    @Test("An image of exactly the target size is unchanged")
    func unchanged() throws {
        let image = try #require(ImageData.pattern(width: 40, height: 20))
        #expect(image.letterboxed(in: image.size, filter: .bilinear) == image)
    }

    @Test("Only tiles are letterboxed; thumbnails and untiled images are not")
    func tiles() throws {
        let (stretched, letterboxed) = (ImageTiling(), ImageTiling(fit: .letterboxed))
        let large = try #require(ImageData.pattern(width: 1700, height: 600))
        #expect(stretched.layout(of: large.size) == letterboxed.layout(of: large.size))
        let (first, second) = (stretched.pictures(of: large), letterboxed.pictures(of: large))
        #expect(first.count == second.count && first.last == second.last)
        #expect(first.dropLast() != second.dropLast())
        // 1,536 × 512 pixels hold 1,451 × 512 of them, so black columns are on both sides.
        #expect(second[0].row(200).prefix(3 * 40).allSatisfy { $0 == 0 })
        let small = try #require(ImageData.pattern(width: 400, height: 300))
        #expect(stretched.pictures(of: small) == letterboxed.pictures(of: small))
    }
}
