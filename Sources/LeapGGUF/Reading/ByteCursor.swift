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

    /// Throws unless so many bytes are left.
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

    /// Steps over bytes and says where they are.
    mutating func skip(
        _ count: UInt64, _ field: @autoclosure () -> GGUFField
    ) throws(GGUFError) -> Range<Int> {
        try require(count, field())
        let start = offset
        // In range: `require` has compared it with an `Int`.
        offset += Int(count)
        return start..<offset
    }

    /// Steps over a string, which is a 64-bit length and that many bytes, and says where the bytes are.
    mutating func string(_ field: @autoclosure () -> GGUFField) throws(GGUFError) -> Range<Int> {
        let length: UInt64 = try integer(field())
        return try skip(length, field())
    }

    /// A count of things that take at least `size` bytes each; throws when so many cannot follow.
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
