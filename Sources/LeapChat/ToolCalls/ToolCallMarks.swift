/// The marks around calls in an answer, which tell them from text.
public struct ToolCallMarks: Sendable, Hashable {
    /// How strings are written inside a block. A mark inside a string does not end the block.
    public enum Strings: Sendable, Hashable {
        /// Unknown: the first mark ends the block.
        case unknown
        /// In double quotes, with backslashes.
        case json
        /// In single, double or triple quotes, with backslashes; `#` begins a comment.
        case python
    }

    /// What begins a block; no part of it.
    public var start: String
    /// What ends a block; no part of it. Where there is none, a block ends with the answer.
    public var end: String?
    /// What an answer that is nothing but a block begins with, whitespace aside; part of the block.
    public var bareStart: String?
    /// How strings are written.
    public var strings: Strings

    /// Describes marks.
    public init(start: String, end: String?, bareStart: String? = nil, strings: Strings = .unknown) {
        self.start = start
        self.end = end
        self.bareStart = bareStart
        self.strings = strings
    }

    /// The marks themselves.
    public var texts: [String] { [start, end ?? ""].filter { !$0.isEmpty } }
}
