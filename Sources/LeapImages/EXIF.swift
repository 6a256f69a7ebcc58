/// Reads the orientation from a block of EXIF data, which has the form of a TIFF file: a header with the byte order,
/// and a directory of twelve-byte entries (tag, type, count, value).
///
/// Only the first directory is read, each entry once, so that no offset can cause a cycle. A malformed block is
/// ignored: the picture is shown as it is stored. Source: CIPA DC-008 (EXIF 2.32) sections 4.5 and 4.6; TIFF 6.0
/// section 2.
enum EXIF {
    private static let orientationTag = 0x0112
    /// The bytes of the whole numbers that are read: `SHORT`, `LONG` and `SSHORT`.
    private static let sizes = [3: 2, 4: 4, 8: 2]

    /// The orientation in a block, with or without the leading marker `Exif\0\0`.
    static func orientation(in block: FileBytes) -> Orientation {
        let block = block.begin(with: Array("Exif\0\0".utf8)) ? block.dropping(6) : block
        guard let isBigEndian = isBigEndian(block) else { return .upright }
        func number(_ offset: Int, _ bytes: Int) -> Int? {
            block.number(at: offset, bytes: bytes, isBigEndian: isBigEndian)
        }
        guard let directory = number(4, 4), let entries = number(directory, 2) else { return .upright }
        for entry in (0..<entries).lazy.map({ directory + 2 + 12 * $0 }) {
            guard let tag = number(entry, 2) else { break }
            guard tag == orientationTag else { continue }
            guard let size = number(entry + 2, 2).flatMap({ sizes[$0] }), let count = number(entry + 4, 4), count > 0
            else { break }
            // Of several values, which stand elsewhere unless they fit into the entry, the first counts, as in Pillow.
            let values = size * count <= 4 ? entry + 8 : number(entry + 8, 4)
            guard let values, block.slice(at: values, count: size * count) != nil else { break }
            return number(values, size).flatMap(Orientation.init) ?? .upright
        }
        return .upright
    }

    /// `nil` if the block does not begin like a TIFF file.
    private static func isBigEndian(_ block: FileBytes) -> Bool? {
        if block.begin(with: Array("II*\0".utf8)) { return false }
        return block.begin(with: Array("MM\0*".utf8)) ? true : nil
    }
}
