import Foundation

/// Raw pixels as an uncompressed PNG file; compression would not pay, because it is read only once.
///
/// Source: PNG specification (W3C), zlib's format (RFC 1950) and stored blocks of deflate (RFC 1951, 3.2.4).
struct PNGFile {
    let data: Data

    /// - Parameter rgb: Red, green and blue of each pixel, row by row from the top.
    /// - Throws: ``LeapError/serializationFailure(_:_:)`` if the number of bytes does not match the size.
    init(rgb: Data, width: Int, height: Int) throws(LeapError) {
        let (area, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, area <= Int32.max / 3, rgb.count == 3 * area else {
            throw .serializationFailure(
                "the image cannot be used: expected \(width) × \(height) pixels of 3 bytes, found \(rgb.count) bytes",
                nil)
        }
        var rows = Data(capacity: rgb.count + height)
        for row in 0..<height {
            rows.append(0)  // no filter
            rows.append(rgb.dropFirst(3 * width * row).prefix(3 * width))
        }
        var header = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height))
        header += [8, 2, 0, 0, 0]  // bits per channel, RGB, deflate, filters, not interlaced
        data =
            Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Self.chunk("IHDR", header)
            + Self.chunk("IDAT", Self.zlib(rows)) + Self.chunk("IEND", Data())
    }

    private static func chunk(_ tag: String, _ content: Data) -> Data {
        let body = Data(tag.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(crc(body))
    }

    /// Stored blocks hold 65,535 bytes at most.
    private static func zlib(_ content: Data) -> Data {
        var result = Data([0x78, 0x01])
        var rest = content[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            result.append(rest.isEmpty ? 1 : 0)
            for value in [length, ~length] { result.append(contentsOf: [UInt8(value & 0xFF), UInt8(value >> 8)]) }
            result.append(block)
        } while !rest.isEmpty
        return result + bigEndian(adler(content))
    }

    /// The remainders of all bytes by the polynomial of Ethernet.
    private static let remainders: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(byte) { value, _ in value >> 1 ^ (value & 1 == 1 ? 0xEDB8_8320 : 0) }
    }

    /// CRC-32 with the polynomial of Ethernet (PNG, annex D).
    private static func crc(_ bytes: Data) -> UInt32 {
        remainders.withUnsafeBufferPointer { remainders in
            bytes.withUnsafeBytes { bytes in
                var sum = UInt32.max
                for byte in bytes { sum = remainders[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
                return ~sum
            }
        }
    }

    /// Adler-32 (RFC 1950).
    private static func adler(_ bytes: Data) -> UInt32 {
        // After the most bytes whose sums fit into 32 bits, the sums are reduced.
        let stretch = 5552
        return bytes.withUnsafeBytes { bytes in
            var (low, high): (UInt32, UInt32) = (1, 0)
            for start in stride(from: 0, to: bytes.count, by: stretch) {
                for byte in bytes[start..<min(start + stretch, bytes.count)] {
                    low += UInt32(byte)
                    high += low
                }
                low %= 65521
                high %= 65521
            }
            return high << 16 | low
        }
    }

    private static func bigEndian(_ value: UInt32) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }
}
