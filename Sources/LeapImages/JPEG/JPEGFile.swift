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

    /// Scans that a file of any size may have: programs write up to 18, for progressive CMYK.
    private static let usualScans = 20
    /// Pixels times scans of files with more of them. Each scan is a pass over all pixels, for a few bytes of the file.
    private static let mostScannedPixels = 1_000_000_000

    /// Reads the segments before the first scan.
    init(_ bytes: FileBytes) throws(ImageError) {
        var frame: FileBytes?
        var exif: [UInt8] = []
        for marker in JPEGMarkers(bytes) {
            if marker.startsScan { break }
            if marker.startsFrame, frame == nil { frame = marker.segment }
            // A block that is too long for one segment continues in the next, after the same beginning.
            if marker.hasEXIF { exif += marker.segment.dropping(exif.isEmpty ? 0 : JPEGMarker.exif.count).all }
        }
        orientation = exif.withUnsafeBufferPointer { EXIF.orientation(in: FileBytes($0)) }
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
        try checkScans()
        guard let library = TurboJPEG.shared else { throw TurboJPEG.missing }
        guard components == 4 else {
            return RGBImage(size: size, trusted: try library.pixels(of: bytes, size, as: .rgb))
        }
        return RGBImage(size: size, trusted: Self.rgb(invertedCMYK: try library.pixels(of: bytes, size, as: .cmyk)))
    }

    /// Refuses files without an end, whose missing data the library would fill with grey, and files whose scans would take
    /// far longer than those of any picture.
    private func checkScans() throws(ImageError) {
        var scans = 0
        for marker in JPEGMarkers(bytes) {
            if marker.startsScan { scans += 1 }
            guard marker.endsImage else { continue }
            guard scans <= Self.usualScans || scans <= Self.mostScannedPixels / (size.width * size.height) else {
                throw .damaged(format: .jpeg, reason: "it has \(scans) scans, too many for \(size) pixels")
            }
            return
        }
        throw .truncated(format: .jpeg)
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
