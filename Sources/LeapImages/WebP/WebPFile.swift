#if !canImport(ImageIO)
/// A WebP file: chunks in a RIFF container. A simple file has one chunk with the picture's bitstream; an extended one
/// has a canvas, which may contain frames.
///
/// Alpha is in a chunk of its own, or separate from the colours in the bitstream, so that dropping it needs no
/// arithmetic. Source: RFC 9649, sections 2.3 to 2.7; for the sizes in bitstreams, 3.4 and RFC 6386 section 9.1.
struct WebPFile: PictureFile {
    /// A bitstream and its position on the canvas.
    private struct Frame {
        let bitstream: FileBytes
        let size: ImageSize
        var x = 0
        var y = 0
    }

    private let frame: Frame

    let format = ImageFormat.webp
    let size: ImageSize
    let orientation: Orientation

    /// Reads the chunks up to the first picture, and the EXIF data, which come after it.
    init(_ bytes: FileBytes) throws(ImageError) {
        var canvas: ImageSize?
        var frame: Frame?
        var exif: FileBytes?
        for chunk in WebPChunks(bytes.dropping(12)) {
            switch chunk.name {
            case "VP8X": canvas = Self.size(in: chunk.data, at: 4)
            case "EXIF": exif = chunk.data
            default: if frame == nil { frame = try Self.frame(of: chunk) }
            }
        }
        guard let frame else { throw .truncated(format: .webp) }
        self.frame = frame
        size = canvas ?? frame.size
        orientation = exif.map(EXIF.orientation(in:)) ?? .upright
        guard frame.x + frame.size.width <= size.width, frame.y + frame.size.height <= size.height else {
            let reason = "its first frame of \(frame.size) pixels does not fit into the canvas of \(size)"
            throw .damaged(format: .webp, reason: reason)
        }
    }

    func decoded() throws(ImageError) -> RGBImage {
        guard let library = LibWebP.shared else { throw LibWebP.missing }
        let start = (frame.y * size.width + frame.x) * 3
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        guard library.decode(frame.bitstream, into: &pixels, from: start, stride: size.width * 3) else {
            throw .damaged(format: .webp, reason: "its pixel data is truncated or invalid")
        }
        return RGBImage(size: size, trusted: pixels)
    }

    /// The picture in a chunk, or the first one in an animation frame; `nil` for all other chunks.
    private static func frame(of chunk: WebPChunk) throws(ImageError) -> Frame? {
        switch chunk.name {
        case "VP8 ": try Frame(bitstream: chunk.data, size: sizeOfVP8(chunk.data))
        case "VP8L": try Frame(bitstream: chunk.data, size: sizeOfVP8L(chunk.data))
        case "ANMF": try animationFrame(chunk.data)
        default: nil
        }
    }

    /// Half the frame's coordinates, its size, duration and flags, then its chunks.
    private static func animationFrame(_ data: FileBytes) throws(ImageError) -> Frame? {
        guard let x = data.little24(at: 0), let y = data.little24(at: 3) else { throw .truncated(format: .webp) }
        for chunk in WebPChunks(data.dropping(16)) where chunk.name != "ANMF" {
            guard var frame = try frame(of: chunk) else { continue }
            frame.x = 2 * x
            frame.y = 2 * y
            return frame
        }
        throw .truncated(format: .webp)
    }

    /// Two 24-bit numbers that are the sides minus one.
    private static func size(in data: FileBytes, at offset: Int) -> ImageSize? {
        guard let width = data.little24(at: offset), let height = data.little24(at: offset + 3) else { return nil }
        return ImageSize(width: width + 1, height: height + 1)
    }

    /// After the frame's tag and the start code: sides of 14 bits each and two bits of scale, which decoders ignore.
    private static func sizeOfVP8(_ data: FileBytes) throws(ImageError) -> ImageSize {
        guard let width = data.little16(at: 6), let height = data.little16(at: 8) else {
            throw .truncated(format: .webp)
        }
        return ImageSize(width: width & 0x3FFF, height: height & 0x3FFF)
    }

    /// After the signature: 14-bit numbers that are the sides minus one.
    private static func sizeOfVP8L(_ data: FileBytes) throws(ImageError) -> ImageSize {
        guard let sides = data.little32(at: 1) else { throw .truncated(format: .webp) }
        return ImageSize(width: sides & 0x3FFF + 1, height: sides >> 14 & 0x3FFF + 1)
    }
}
#endif
