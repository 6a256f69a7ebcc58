/// The texts of all tokens, one after another in one buffer: a vocabulary of 150,000 tokens costs two allocations.
struct TokenTexts: Sendable {
    /// All bytes.
    private(set) var bytes: [UInt8] = []
    /// The end of each text in `bytes`.
    private var ends: [UInt32] = []

    /// The number of texts.
    var count: Int { ends.count }
    /// The length of the longest text, in bytes.
    private(set) var longest = 0

    /// Makes room for `texts` texts of `bytes` bytes together.
    mutating func reserve(texts: Int, bytes: Int) {
        ends.reserveCapacity(texts)
        self.bytes.reserveCapacity(bytes)
    }

    /// Adds a text, which must not take the buffer beyond `UInt32.max` bytes: the caller checks.
    mutating func append(_ text: some Collection<UInt8>) {
        bytes.append(contentsOf: text)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        longest = max(longest, text.count)
    }

    /// The range of the text of token `index` in `bytes`; `index` must be below `count`.
    @inline(__always)
    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// The text of token `index`.
    subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

    /// The text of token `index` for people.
    func string(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }
}
