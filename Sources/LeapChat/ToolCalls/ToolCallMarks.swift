/// The marks around calls in an answer, which distinguish them from text.
public struct ToolCallMarks: Sendable, Hashable {
    /// The syntax of strings inside a block. A mark inside a string does not end the block.
    public enum Strings: Sendable, Hashable {
        /// Unknown: the first mark ends the block.
        case unknown
        /// In double quotes, with backslashes.
        case json
        /// In single, double or triple quotes, with backslashes; `#` begins a comment.
        case python
    }

    /// The text that begins a block, which is not part of it.
    public var start: String
    /// The text that ends a block, which is not part of it; if `nil`, a block ends with the answer.
    public var end: String?
    /// The text with which an answer that consists only of a block begins, after whitespace. It is part of the block.
    public var bareStart: String?
    /// The syntax of strings.
    public var strings: Strings

    /// Creates marks.
    public init(start: String, end: String?, bareStart: String? = nil, strings: Strings = .unknown) {
        self.start = start
        self.end = end
        self.bareStart = bareStart
        self.strings = strings
    }

    /// The texts of the marks.
    public var texts: [String] { [start, end ?? ""].filter { !$0.isEmpty } }
}
