import LeapJSON

/// A format in which models write calls: the marks around them, a parser and a writer.
///
/// A new format is a file in `Formats/` and a line in ``all``; see docs/function-calling.md.
public struct ToolCallFormat: Sendable {
    /// The name of the format.
    public let name: String
    /// The marks around calls.
    public let marks: ToolCallMarks
    /// Parts of a chat template that show that its model writes calls this way.
    let templateHints: [String]
    /// Reads a block, the text between the marks.
    private let read: @Sendable (String) throws(ToolCallError) -> [ToolCall]
    /// Writes calls, without marks.
    private let write: @Sendable ([ToolCall]) -> String
    /// Whether every call has its own block.
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
    /// Parses a block.
    ///
    /// - Parameter block: The text between the marks.
    /// - Returns: The calls in order; at least one, unless the block is an empty list.
    /// - Throws: ``ToolCallError`` with the location of the syntax error. Time and memory are linear in the block's
    ///   length.
    public func calls(in block: String) throws(ToolCallError) -> [ToolCall] {
        guard block.utf8.count <= ToolCallLimits.bytes else { throw .tooLarge(block) }
        return try read(block)
    }

    /// Writes calls as the model does, without marks. ``calls(in:)`` parses the same calls from the text, and whatever
    /// the arguments are, the text spells no mark or control token.
    public func text(of calls: [ToolCall]) -> String {
        write(calls)
    }

    /// Writes calls as the model does, including marks.
    public func markedText(of calls: [ToolCall]) -> String {
        markedText(of: calls, writtenBy: text(of:))
    }

    /// Writes calls in blocks.
    ///
    /// - Parameter write: Writes the calls of a block, with the marks around it or without.
    package func markedText<Call>(of calls: [Call], writtenBy write: ([Call]) -> String) -> String {
        guard !calls.isEmpty else { return "" }
        let blocks = writesOneCallPerBlock ? calls.map { [$0] } : [calls]
        return blocks.map { calls in
            let text = write(calls)
            guard marks.start.isEmpty || !text.hasPrefix(marks.start) else { return text }
            return marks.start + padding + text + padding + (marks.end ?? "")
        }.joined(separator: "\n")
    }
}

/// Limits on the cost of a block.
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
