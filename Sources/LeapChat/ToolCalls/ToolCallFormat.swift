import LeapJSON

/// A way in which models write calls: the marks around them, how to read them, and how to write them.
///
/// A new format is a file in `Formats/` and a line in ``all``; see docs/function-calling.md.
public struct ToolCallFormat: Sendable {
    /// The name by which tools and tests know the format.
    public let name: String
    /// What surrounds calls.
    public let marks: ToolCallMarks
    /// Parts of a chat template that show that its model writes calls this way.
    let templateHints: [String]
    /// Reads a block, the text between the marks.
    private let read: @Sendable (String) throws(ToolCallError) -> [ToolCall]
    /// Writes calls, without marks.
    private let write: @Sendable ([ToolCall]) -> String
    /// Whether every call has a block of its own.
    private let writesOneCallPerBlock: Bool
    /// The separator between a mark and the text that it surrounds.
    private let padding: String

    init(
        name: String, marks: ToolCallMarks, templateHints: [String], writesOneCallPerBlock: Bool = false,
        padding: String = "", read: @escaping @Sendable (String) throws(ToolCallError) -> [ToolCall],
        write: @escaping @Sendable ([ToolCall]) -> String
    ) {
        self.name = name
        self.marks = marks
        self.templateHints = templateHints
        self.writesOneCallPerBlock = writesOneCallPerBlock
        self.padding = padding
        self.read = read
        self.write = write
    }
}

extension ToolCallFormat {
    /// Reads a block.
    ///
    /// - Parameter block: The text between the marks.
    /// - Returns: The calls in their order; at least one, except for an empty list.
    /// - Throws: ``ToolCallError`` with the place of what is malformed. Time and memory are linear in the block's length.
    public func calls(in block: String) throws(ToolCallError) -> [ToolCall] {
        guard block.utf8.count <= ToolCallLimits.bytes else { throw .tooLarge(block) }
        return try read(block)
    }

    /// Writes calls as the model writes them, without marks. ``calls(in:)`` reads the same calls from it, and no mark or
    /// control token is spelled in it, whatever the arguments are.
    public func text(of calls: [ToolCall]) -> String {
        write(calls)
    }

    /// Writes calls as the model writes them, marks included.
    public func markedText(of calls: [ToolCall]) -> String {
        guard !calls.isEmpty else { return "" }
        let blocks = writesOneCallPerBlock ? calls.map { [$0] } : [calls]
        return blocks.map { marks.start + padding + text(of: $0) + padding + (marks.end ?? "") }
            .joined(separator: "\n")
    }
}

/// What a block may cost.
enum ToolCallLimits {
    /// Bytes of a block: 16 MiB.
    static let bytes = 16 << 20
    /// Calls in a block.
    static let calls = 1024
    /// Lists and dictionaries inside each other.
    static let depth = JSONParser.depthLimit
    /// Digits of an integer that is not written in decimal.
    static let digits = 4300
}
