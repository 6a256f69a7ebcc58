package import Foundation

/// Base64 (RFC 4648) as clients write it.
package enum Base64 {
    /// The bytes that a text encodes, in the usual alphabet or the one for URLs, with or without padding and white space;
    /// `nil` if it contains anything else or is incomplete.
    package static func bytes(of text: some Sequence<UInt8>) -> Data? {
        var digits: [UInt8] = []
        digits.reserveCapacity(text.underestimatedCount + 3)
        for byte in text {
            switch byte {
            case UInt8(ascii: " "), 0x09, 0x0A, 0x0C, 0x0D: break
            case UInt8(ascii: "-"): digits.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): digits.append(UInt8(ascii: "/"))
            default: digits.append(byte)
            }
        }
        let padding = UInt8(ascii: "=")
        if digits.last != padding {
            digits += [UInt8](repeating: padding, count: (4 - digits.count % 4) % 4)
        }
        // One digit is less than a byte, and Foundation accepts some texts with too much padding.
        guard digits.suffix(3).contains(where: { $0 != padding }) || digits.isEmpty else { return nil }
        return Data(base64Encoded: Data(digits))
    }
}

/// A `data:` URL (RFC 2397) of base64.
package struct DataURL {
    /// What it contains; `nil` if that is not base64.
    package let bytes: Data?

    /// `nil` for all other URLs, also for `data:` URLs of plain text.
    package init?(_ url: String) {
        guard let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let head = url[..<comma].lowercased()
        guard head.hasPrefix("data:"), head.hasSuffix(";base64") else { return nil }
        bytes = Self.decoded(url.utf8[comma...].dropFirst()).flatMap(Base64.bytes(of:))
    }

    /// Resolves percent-encoding.
    private static func decoded(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(UInt8.init(hexadecimal:)),
                let low = rest.next().flatMap(UInt8.init(hexadecimal:))
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}
