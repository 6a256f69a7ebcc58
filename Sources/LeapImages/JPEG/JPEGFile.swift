#if !canImport(ImageIO)
/// A JPEG file: a chain of markers, some with a segment of data after them.
///
/// Source: ITU-T T.81 annex B; for `APP1`, CIPA DC-008 section 4.5.4.
struct JPEGFile: PictureFile {
    private let bytes: FileBytes
    private let components: Int

    let format = ImageFormat.jpeg
    let size: ImageSize
    private(set) var orientation = Orientation.upright

    /// Reads the segments before the first scan.
    init(_ bytes: FileBytes) throws(ImageError) {
        var frame: FileBytes?
        for marker in JPEGMarkers(bytes) {
            if marker.startsScan { break }
            if marker.startsFrame, frame == nil { frame = marker.segment }
            if marker.hasEXIF, orientation == .upright { orientation = EXIF.orientation(in: marker.segment) }
        }
        // Bits a sample, height, width, components.
        guard let frame, let height = frame.big16(at: 1), let width = frame.big16(at: 3), let components = frame[5]
        else {
            throw .truncated(format: .jpeg)
        }
        size = ImageSize(width: width, height: height)
        self.components = Int(components)
        self.bytes = bytes
    }

    func decoded() throws(ImageError) -> RGBImage {
        guard let library = TurboJPEG.shared else { throw TurboJPEG.missing }
        // The library would fill missing data with grey.
        guard JPEGMarkers(bytes).contains(where: \.endsImage) else { throw .truncated(format: .jpeg) }
        guard components == 4 else {
            return RGBImage(size: size, trusted: try library.pixels(of: bytes, size, as: .rgb))
        }
        return RGBImage(size: size, trusted: Self.rgb(invertedCMYK: try library.pixels(of: bytes, size, as: .cmyk)))
    }

    /// Converts CMYK to RGB: (255 − ink) · (255 − black) / 255 for each of the three, rounded. Files store 255 − ink,
    /// as Adobe's programs write them, and Pillow assumes this of all files.
    private static func rgb(invertedCMYK: [UInt8]) -> [UInt8] {
        var rgb: [UInt8] = []
        rgb.reserveCapacity(invertedCMYK.count / 4 * 3)
        for pixel in stride(from: 0, to: invertedCMYK.count, by: 4) {
            let light = UInt32(invertedCMYK[pixel + 3])
            for ink in pixel..<pixel + 3 { rgb.append(UInt8((UInt32(invertedCMYK[ink]) * light * 2 + 255) / 510)) }
        }
        return rgb
    }
}
#endif
