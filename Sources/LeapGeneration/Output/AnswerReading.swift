public import LeapChat

/// How an answer is read: what the model writes around thoughts and calls, and what it may call.
public struct AnswerReading: Sendable {
    /// How thoughts and calls are written.
    public var dialect: Dialect
    /// The functions that may be called; `nil` if any may.
    public var functions: [DeclaredFunction]?
    /// Whether a call between marks counts even if its function was not offered.
    public var readsUnknown: Bool
    /// What the prompt has written of the header of the answer's first message; `nil` if it has begun none.
    public var header: String?

    /// The usual: no calls, and thoughts between `<think>` and `</think>`.
    public init(_ dialect: Dialect = .plain, functions: [DeclaredFunction]? = nil, readsUnknown: Bool = false) {
        self.dialect = dialect
        self.functions = functions
        self.readsUnknown = readsUnknown
    }

    /// A reader of one answer.
    func reader(keepsLineBreaks: Bool) -> AnswerReader {
        AnswerReader(dialect, functions: functions, readsUnknown: readsUnknown, keepsLineBreaks: keepsLineBreaks)
    }
}
