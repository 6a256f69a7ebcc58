/// Reads fields one after the other and throws before it would read past the end.
struct ByteCursor {
    let file: FileBytes

    /// Where the next field starts.
    private(set) var offset = 0

    init(_ file: FileBytes) { self.file = file }

    /// Bytes left.
    var available: Int { file.bytes.count - offset }

    /// An error at the next field.
    func error(_ problem: GGUFError.FormatProblem) -> GGUFError {
        .format(file: file.name, offset: offset, problem)
    }

    /// Throws unless this many bytes are left.
    func require(_ count: UInt64, _ field: @autoclosure () -> GGUFField) throws(GGUFError) {
        guard count <= UInt64(available) else {
            throw error(.truncated(field(), needed: count, available: available))
        }
    }

    /// The next integer.
    mutating func integer<Integer: FixedWidthInteger & GGUFScalar>(
        _ field: @autoclosure () -> GGUFField
    ) throws(GGUFError) -> Integer {
        try require(UInt64(Integer.ggufSize), field())
        defer { offset += Integer.ggufSize }
        return Integer(ggufBytes: file.bytes, at: offset)
    }

    /// Skips bytes and returns their range.
    mutating func skip(
        _ count: UInt64, _ field: @autoclosure () -> GGUFField
    ) throws(GGUFError) -> Range<Int> {
        try require(count, field())
        let start = offset
        // In range: `require` has compared it with an `Int`.
        offset += Int(count)
        return start..<offset
    }

    /// Skips a string, which is a 64-bit length and that many bytes, and returns the range of the bytes.
    mutating func string(_ field: @autoclosure () -> GGUFField) throws(GGUFError) -> Range<Int> {
        guard let range = stringIfComplete() else { throw incompleteString(field()) }
        return range
    }

    /// Skips a string; `nil`, without skipping, if it is incomplete. Vocabularies have 10⁵ strings: this takes no field
    /// name, because creating it would cost more than the reading.
    mutating func stringIfComplete() -> Range<Int>? {
        guard available >= UInt64.ggufSize else { return nil }
        let length = UInt64(ggufBytes: file.bytes, at: offset)
        guard length <= UInt64(available - UInt64.ggufSize) else { return nil }
        let start = offset + UInt64.ggufSize
        offset = start + Int(length)
        return start..<offset
    }

    /// Why there is no complete string at the cursor.
    func incompleteString(_ field: GGUFField) -> GGUFError {
        let lengthSize = UInt64.ggufSize
        guard available >= lengthSize else {
            return error(.truncated(field, needed: UInt64(lengthSize), available: available))
        }
        let length = UInt64(ggufBytes: file.bytes, at: offset)
        return error(.truncated(field, needed: length, available: available - lengthSize))
    }

    /// A count of items of at least `size` bytes each; throws if that many cannot follow.
    mutating func count(
        _ field: @autoclosure () -> GGUFField, eachAtLeast size: Int, limit: Int = .max
    ) throws(GGUFError) -> Int {
        let start = self
        let count: UInt64 = try integer(field())
        guard count <= UInt64(available / size) else {
            throw start.error(.impossibleCount(field(), count: count, available: available))
        }
        guard count <= UInt64(limit) else {
            throw start.error(.tooMany(field(), count: count, limit: limit))
        }
        return Int(count)
    }
}
