/// A set of bytes.
struct ByteSet: Hashable, Sendable {
    private var words: SIMD4<UInt64> = .zero

    static let all: ByteSet = {
        var set = ByteSet()
        set.words = SIMD4(repeating: .max)
        return set
    }()

    /// The bytes that may occur inside a JSON string, including quotes and backslashes.
    static let insideString: ByteSet = {
        var set = ByteSet()
        for byte in UInt8(0x20)...0xFF { set.insert(byte) }
        return set
    }()

    init() {}

    init(_ bytes: UInt8...) {
        for byte in bytes { insert(byte) }
    }

    @inline(__always)
    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 != 0 }

    @inline(__always)
    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    @inline(__always)
    mutating func formUnion(_ other: ByteSet) { words |= other.words }
}
