public import LeapChat

/// How the calls of a conversation are written, and read from its answers.
public struct CallDialect: Sendable {
    /// What surrounds calls.
    public let marks: ToolCallMarks
    /// Reads what stands between the marks.
    let read: @Sendable (_ block: String) throws -> [ToolCall]
    /// Writes calls as the model does, with the marks.
    let write: @Sendable (_ calls: [ToolCall]) -> String

    /// A format that is known.
    public init(_ format: ToolCallFormat) {
        marks = format.marks
        read = { try format.calls(in: $0) }
        write = { format.markedText(of: $0) }
    }

    /// A format of the caller's own.
    public init(
        marks: ToolCallMarks, read: @escaping @Sendable (_ block: String) throws -> [ToolCall],
        write: @escaping @Sendable (_ calls: [ToolCall]) -> String
    ) {
        self.marks = marks
        self.read = read
        self.write = write
    }
}
