import Foundation

/// The IP address in the host of a URL, in any spelling that the system's resolver accepts.
package struct HostAddress {
    /// Four bytes of IPv4 or sixteen of IPv6.
    private let bytes: [UInt8]

    /// Reads a host: `127.0.0.1`, `127.1`, `0x7f.1`, `2130706433`, `::1`, `[fe80::1%25eth0]`; `nil` for a name.
    package init?(_ host: String) {
        let text = Self.plain(host)
        var (four, sixteen) = (in_addr(), in6_addr())
        if !text.contains(":"), inet_aton(text, &four) != 0 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            bytes = withUnsafeBytes(of: sixteen) { Array($0) }
        } else {
            return nil
        }
    }

    /// Whether a name refers to this machine: RFC 6761, section 6.3, and the names that distributions write to `/etc/hosts`.
    package static func isLoopback(name: String) -> Bool {
        let name = plain(name)
        return name.hasSuffix(".localhost")
            || ["localhost", "localhost.localdomain", "ip6-localhost", "ip6-loopback"].contains(name)
    }

    /// Returns whether a host that is not an address can be a name: it must not contain encoded parts of a URL.
    package static func isName(_ host: String) -> Bool {
        !(host.removingPercentEncoding ?? host).unicodeScalars.contains {
            ":@/\\?#[]% ".unicodeScalars.contains($0) || $0.properties.generalCategory == .control
        }
    }

    /// Without brackets, percent encoding, the zone of a link, other forms of letters and digits, and final dots.
    private static func plain(_ host: String) -> String {
        let decoded = (host.removingPercentEncoding ?? host).trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        var text = decoded.precomposedStringWithCompatibilityMapping.lowercased().replacing("\u{3002}", with: ".")
        if let zone = text.firstIndex(of: "%") { text.removeSubrange(zone...) }
        while text.hasSuffix(".") { text.removeLast() }
        return text
    }
}

extension HostAddress {
    /// This machine: 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        if let four { return four[0] == 127 }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    /// 169.254.0.0/16 and fe80::/10, where clouds keep their machines' credentials.
    package var isLinkLocal: Bool {
        if let four { return four[0] == 169 && four[1] == 254 }
        return bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    /// 0.0.0.0/8 and ::, which reach this machine too; and the other addresses where clouds answer their machines.
    package var isReserved: Bool {
        if let four { return four[0] == 0 || Self.cloudServices.contains(four) }
        return bytes.allSatisfy { $0 == 0 } || bytes.starts(with: Self.cloudService6)
    }

    /// Alibaba's, Oracle's and Azure's.
    private static let cloudServices: Set<[UInt8]> = [[100, 100, 100, 200], [192, 0, 0, 192], [168, 63, 129, 16]]
    /// Amazon's: fd00:ec2::254, and its neighbours.
    private static let cloudService6: [UInt8] = [0xFD, 0x00, 0x0E, 0xC2]

    /// The IPv4 address that this is, or that packets to it are translated to.
    private var four: [UInt8]? {
        if bytes.count == 4 { return bytes }
        guard let (_, start) = Self.embeddings.first(where: { bytes.starts(with: $0.prefix) }) else { return nil }
        let four = bytes[start..<start + 4]
        // ::1 and :: are addresses of their own.
        let isOwn = start == 12 && bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
        return isOwn ? nil : Array(four)
    }

    /// Prefixes of addresses that embed an IPv4 address, and its position: RFC 4291 (compatible, mapped), RFC 2765
    /// (translated), RFC 6052 and 8215 (translated by the network), RFC 3056 (6to4).
    private static let embeddings: [(prefix: [UInt8], start: Int)] = {
        let zeros = [UInt8](repeating: 0, count: 12)
        return [
            (zeros, 12), (zeros.dropLast(2) + [0xFF, 0xFF], 12), (zeros.dropLast(4) + [0xFF, 0xFF, 0, 0], 12),
            ([0x00, 0x64, 0xFF, 0x9B] + zeros.dropLast(4), 12), ([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 12),
            ([0x20, 0x02], 2),
        ]
    }()
}

extension HostAddress {
    /// Whether the address is in the network of another one: whether their first `length` bits are the same. No address is in a
    /// network of the other protocol, or of an impossible length.
    func isIn(networkOf other: HostAddress, length: Int) -> Bool {
        guard bytes.count == other.bytes.count, 0...bytes.count * 8 ~= length else { return false }
        return bytes.indices.allSatisfy { index in
            let bits = min(8, max(0, length - index * 8))
            return (bytes[index] ^ other.bytes[index]) >> (8 - bits) == 0
        }
    }

    /// Whether it is the same address, in any spelling.
    func isSame(as other: HostAddress) -> Bool { bytes == other.bytes }
}
