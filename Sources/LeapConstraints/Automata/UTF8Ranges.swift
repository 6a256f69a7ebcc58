/// Splits ranges of Unicode scalars into sequences of byte ranges: their UTF-8.
///
/// A sequence such as `[E1–EC][80–BF][80–BF]` stands for all combinations of its bytes. A range is split wherever its
/// encodings become longer and wherever a continuation byte would not cover its entire range.
/// Source: Unicode Standard, table 3-7, "Well-Formed UTF-8 Byte Sequences".
enum UTF8Ranges {
    typealias ByteRange = ClosedRange<UInt8>

    /// Sequences that together encode exactly the scalars of `range`, which contains no surrogates.
    static func sequences(_ range: ClosedRange<UInt32>) -> [[ByteRange]] {
        var result: [[ByteRange]] = []
        for block in [0...0x7F, 0x80...0x7FF, 0x800...0xFFFF, 0x10000...0x10FFFF] as [ClosedRange<UInt32>]
        where block.overlaps(range) {
            split(range.clamped(to: block), into: &result)
        }
        return result
    }

    private static func split(_ range: ClosedRange<UInt32>, into result: inout [[ByteRange]]) {
        let (low, high) = (range.lowerBound, range.upperBound)
        let length = encode(low).count
        for bytes in 1..<max(length, 1) {
            let mask: UInt32 = 1 << (6 * UInt32(bytes)) - 1
            guard low & ~mask != high & ~mask else { continue }
            if low & mask != 0 {
                split(low...(low | mask), into: &result)
                return split((low | mask) + 1...high, into: &result)
            }
            if high & mask != mask {
                split(low...(high & ~mask) - 1, into: &result)
                return split((high & ~mask)...high, into: &result)
            }
        }
        result.append(zip(encode(low), encode(high)).map { $0...$1 })
    }

    /// The UTF-8 of a scalar value.
    static func encode(_ value: UInt32) -> [UInt8] {
        Unicode.Scalar(value).map { Array(UTF8.encode($0) ?? .init()) } ?? []
    }

    /// Whether a byte of well-formed UTF-8 begins a scalar.
    @inline(__always)
    static func isLeading(_ byte: UInt8) -> Bool { byte & 0xC0 != 0x80 }
}
