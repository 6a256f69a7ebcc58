/// A PNG file: a signature and chunks, of which the header, the palette, the compressed rows and EXIF data, also in a
/// text chunk, are read. For an animation, this is its first frame.
///
/// It is decoded here instead of by libpng, whose simplified interface cannot produce what models are trained with: it
/// applies gamma, blends alpha, and rounds 16-bit samples where Pillow takes the upper eight bits (decision 0044).
/// Source: W3C, Portable Network Graphics (third edition), sections 5 and 11.
struct PNGFile: PictureFile {
    /// The bytes at the beginning of every file.
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private let header: PNGHeader
    private let palette: FileBytes?
    private let rows: [FileBytes]

    let format = ImageFormat.png
    let orientation: Orientation

    var size: ImageSize { header.size }

    /// Reads the chunks. A truncated file is detected when pixels are missing.
    init(_ bytes: FileBytes) throws(ImageError) {
        var chunks = PNGChunks(bytes.dropping(Self.signature.count))
        guard let first = chunks.next() else { throw .truncated(format: .png) }
        header = try PNGHeader(first)
        var palette: FileBytes?
        var rows: [FileBytes] = []
        var exif: FileBytes?
        var profile: PNGChunk?
        while let chunk = chunks.next(), chunk.name != "IEND" {
            switch chunk.name {
            case "PLTE": palette = palette ?? chunk.data
            case "IDAT": rows.append(chunk.data)
            case "eXIf": exif = exif ?? chunk.data
            case _ where PNGTextProfile.isThere(in: chunk): profile = chunk
            default: break
            }
        }
        self.palette = palette
        self.rows = rows
        orientation = exif.map(EXIF.orientation(in:)) ?? profile.map(PNGTextProfile.orientation(in:)) ?? .upright
    }

    func decoded() throws(ImageError) -> RGBImage {
        guard let zlib = Zlib.shared else { throw Zlib.missing }
        let samples = try PNGSamples(header, palette: palette)
        let inflated = try Inflation(of: rows, zlib)
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        for pass in header.passes {
            try read(pass, from: inflated, samples, into: &pixels)
        }
        return RGBImage(size: size, trusted: pixels)
    }

    /// Decodes the rows of a pass: each is inflated, its filter is undone with the row above, and its pixels are
    /// written to the pass's positions.
    private func read(
        _ pass: PNGPass, from inflated: Inflation, _ samples: PNGSamples, into pixels: inout [UInt8]
    ) throws(ImageError) {
        let count = (pass.columns * header.bitsPerPixel + 7) / 8
        var above = [UInt8](repeating: 0, count: count)
        var line = [UInt8](repeating: 0, count: 1 + count)
        for row in 0..<pass.rows {
            try inflated.read(into: &line)
            guard let filter = PNGFilter(rawValue: line[0]) else {
                throw .damaged(format: .png, reason: "row \(row) uses the unknown filter \(line[0])")
            }
            let place = (pass.top + row * pass.down) * size.width + pass.left
            line.withUnsafeMutableBufferPointer { line in
                let values = UnsafeMutableBufferPointer(rebasing: line.dropFirst())
                above.withUnsafeMutableBufferPointer { above in
                    filter.undo(values, above: UnsafeBufferPointer(above), pixelBytes: header.pixelBytes)
                    _ = above.update(fromContentsOf: values)
                }
                pixels.withUnsafeMutableBufferPointer { pixels in
                    let target = UnsafeMutableBufferPointer(rebasing: pixels[(place * 3)...])
                    samples.write(UnsafeBufferPointer(values), count: pass.columns, to: target, step: pass.right * 3)
                }
            }
        }
    }
}
