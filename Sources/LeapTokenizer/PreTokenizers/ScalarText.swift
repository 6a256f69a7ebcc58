/// A stretch of UTF-8 text as its Unicode scalars, with what a pre-tokenizer asks about each.
///
/// Memory: 14 bytes a scalar.
struct ScalarText {
    /// Scalar values.
    private(set) var scalars: [UInt32] = []
    /// The class of each scalar.
    private(set) var classes: [ScalarClass] = []
    /// The offset of each scalar in the UTF-8 text, and at last that of the text's end: `count + 1` offsets.
    private(set) var offsets: [Int] = []

    /// From this many bytes on, a table of all classes costs less than looking up each.
    private static let longText = 1 << 15

    /// The number of scalars.
    var count: Int { scalars.count }

    /// Decodes `utf8[range]`, which must be well-formed UTF-8.
    init(_ utf8: [UInt8], in range: Range<Int>) {
        scalars.reserveCapacity(range.count)
        classes.reserveCapacity(range.count)
        offsets.reserveCapacity(range.count + 1)
        let isLong = range.count >= Self.longText
        var position = range.lowerBound
        while position < range.upperBound {
            offsets.append(position)
            let (value, length) = Self.decode(utf8, at: position)
            scalars.append(value)
            classes.append(ScalarClass(of: value, isOneOfMany: isLong))
            position += length
        }
        offsets.append(range.upperBound)
    }

    /// The scalar at `position` and its length in bytes.
    @inline(__always)
    private static func decode(_ utf8: [UInt8], at position: Int) -> (value: UInt32, length: Int) {
        let lead = utf8[position]
        if lead < 0x80 { return (UInt32(lead), 1) }
        let length = UTF8Sequence.length(lead: lead)
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for byte in utf8[position + 1..<position + length] { value = value << 6 | UInt32(byte & 0x3F) }
        return (value, length)
    }
}
