/// The zlib compression ratio of a text, which reveals repetitive output: clients treat a ratio above 2.4 as such.
enum CompressionRatio {
    /// The ratio; 1 for no bytes.
    ///
    /// Counts the size under RFC 1950 and RFC 1951 with the fixed code, which zlib uses for short texts, if every
    /// repetition is a match with the last position of the same three bytes.
    static func of(_ bytes: [UInt8]) -> Double {
        guard !bytes.isEmpty else { return 1 }
        // Two bytes begin the stream and four end it; three bits begin the block and seven end it.
        let length = 6 + (3 + bits(bytes) + 7 + 7) / 8
        return Double(bytes.count) / Double(length)
    }

    /// The shortest match that is encoded as one.
    private static let shortest = 3
    /// The longest.
    private static let longest = 258
    /// How far back it may be.
    private static let window = 32_768

    /// Bits of bytes and repetitions.
    private static func bits(_ bytes: [UInt8]) -> Int {
        var places: [ArraySlice<UInt8>: Int] = [:]
        var (bits, index) = (0, 0)
        while index < bytes.count {
            let place = places[bytes[index...].prefix(shortest)]
            let length = place.map { repetition(in: bytes, of: $0, at: index) } ?? 0
            bits += length < shortest ? (bytes[index] < 144 ? 8 : 9) : Self.bits(length, index - (place ?? 0))
            let next = index + (length < shortest ? 1 : length)
            while index < next {
                places[bytes[index...].prefix(shortest)] = index
                index += 1
            }
        }
        return bits
    }

    private static func repetition(in bytes: [UInt8], of place: Int, at index: Int) -> Int {
        guard index - place <= window else { return 0 }
        let most = min(longest, bytes.count - index)
        return (0..<most).first { bytes[place + $0] != bytes[index + $0] } ?? most
    }

    /// Bits of a repetition: codes of a length and a distance, and what they leave open (RFC 1951, section 3.2.5).
    private static func bits(_ length: Int, _ distance: Int) -> Int {
        let ofLength = length == longest ? 8 : (length < 115 ? 7 : 8) + max(0, (length - shortest).bitLength - 3)
        return ofLength + 5 + max(0, (distance - 1).bitLength - 2)
    }
}

extension Int {
    /// Binary digits of a number that is not negative.
    fileprivate var bitLength: Int { bitWidth - leadingZeroBitCount }
}
