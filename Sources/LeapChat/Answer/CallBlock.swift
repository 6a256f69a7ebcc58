/// The bytes of a block of calls, with the state of the string literals in it.
struct CallBlock: Sendable {
    private let strings: ToolCallMarks.Strings
    private var tracker: StringTracker
    private var bytes: [UInt8] = []
    /// The first closing mark that was ignored because it is inside a string.
    private var quotedMark: Range<Int>?

    init(_ strings: ToolCallMarks.Strings) {
        self.strings = strings
        tracker = StringTracker(strings)
    }

    mutating func append(_ more: [UInt8]) {
        bytes += more
        if strings != .unknown { for byte in more { tracker.append(byte) } }
    }

    /// Whether a mark ends the block; if not, it becomes part of it.
    mutating func takesMark(_ mark: [UInt8]) -> Bool {
        guard tracker.isInString else { return true }
        if quotedMark == nil { quotedMark = bytes.count..<bytes.count + mark.count }
        append(mark)
        return false
    }

    /// The whole block; a new one begins.
    mutating func takeText() -> String {
        defer { self = CallBlock(strings) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The block up to the first mark in a string, and what follows that; `nil` if there is no such mark.
    mutating func cutAtQuotedMark() -> (content: String, rest: String)? {
        guard let quotedMark else { return nil }
        defer { self = CallBlock(strings) }
        return (
            String(decoding: bytes[..<quotedMark.lowerBound], as: UTF8.self),
            String(decoding: bytes[quotedMark.upperBound...], as: UTF8.self)
        )
    }
}
