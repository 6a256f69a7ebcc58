extension Dialect {
    /// All dialects with calls. The dialect of a template is the one that can parse its output; for templates that
    /// write no calls, hints are looked for, starting with the last dialect.
    public static let all: [Dialect] = [
        .lfm, .hermes, .mistral, .llama3, .mistralNamed, .granite, .phi, .firefunction, .apriel, .nemotron, .apertus,
        .gigachat, .gigachatTurns, .commandFenced, .command, .qwenTags, .seed, .glm, .hunyuan, .miniCPM, .miniMax,
        .miniMaxPrefixed,
        .deepSeek, .deepSeekFenced, .deepSeekTags, .kimi, .kimiElements, .solar, .gemma, .functionGemma, .harmony,
        .muse, .functionaryRecipients, .functionary,
    ]

    /// Looks up a dialect by its name; `nil` if there is none.
    public init?(named name: String) {
        guard let dialect = Self.all.first(where: { $0.name == name }) else { return nil }
        self = dialect
    }

    /// Creates a dialect for a custom format, which is parsed when a block has ended.
    public init(
        marks: ToolCallMarks, read: @escaping @Sendable (_ block: String) throws -> [ToolCall],
        write: @escaping @Sendable (_ calls: [ToolCall]) -> String
    ) {
        self.init(
            name: "foreign",
            calls: CallSyntax(
                opens: [marks.start], closes: marks.end.map { [$0] } ?? [],
                form: .foreign(ForeignCalls(strings: marks.strings, read: read, write: write))))
    }
}
