#if !canImport(ImageIO)
/// A marker of a JPEG file with the segment after it.
struct JPEGMarker {
    let code: UInt8
    /// Empty for markers that stand alone.
    let segment: FileBytes

    /// `SOF0` to `SOF15`; three codes in that range are other markers.
    var startsFrame: Bool { (0xC0...0xCF).contains(code) && ![0xC4, 0xC8, 0xCC].contains(code) }
    /// `SOS`.
    var startsScan: Bool { code == 0xDA }
    /// `EOI`.
    var endsImage: Bool { code == 0xD9 }
    /// `APP1` with EXIF data; the marker has other uses too.
    var hasEXIF: Bool { code == 0xE1 && segment.begin(with: Self.exif) }

    /// What segments with EXIF data begin with.
    static let exif = Array("Exif\0\0".utf8)
}

/// The markers of a file in order. Bytes between segments are skipped, including the coded pixels after `SOS`, in which
/// a byte 0xFF is followed by zero. The sequence ends where a segment extends beyond the end of the file.
struct JPEGMarkers: Sequence, IteratorProtocol {
    private let bytes: FileBytes
    private var offset = 0

    init(_ bytes: FileBytes) { self.bytes = bytes }

    mutating func next() -> JPEGMarker? {
        guard let code = nextCode() else { return nil }
        guard !standsAlone(code) else { return JPEGMarker(code: code, segment: bytes.dropping(bytes.count)) }
        // The length includes its own two bytes.
        guard let length = bytes.big16(at: offset), length >= 2,
            let segment = bytes.slice(at: offset + 2, count: length - 2)
        else { return nil }
        offset += length
        return JPEGMarker(code: code, segment: segment)
    }

    /// The byte after the next 0xFF that is neither zero nor another 0xFF.
    private mutating func nextCode() -> UInt8? {
        var wasFF = false
        while let byte = bytes[offset] {
            offset += 1
            if wasFF, byte != 0, byte != 0xFF { return byte }
            wasFF = byte == 0xFF
        }
        return nil
    }

    /// `TEM`, restarts, `SOI` and `EOI`.
    private func standsAlone(_ code: UInt8) -> Bool { code == 0x01 || (0xD0...0xD9).contains(code) }
}
#endif
