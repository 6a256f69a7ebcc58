/// The marks that a family of models writes around its thoughts, its answer and its calls, as data for
/// ``AnswerReader``.
///
/// A new dialect is a file in `Families/` and a line in ``all``; see docs/function-calling.md.
public struct Dialect: Sendable {
    /// A text that begins something and one that ends it.
    struct Enclosure: Sendable, Hashable {
        let start: String
        let end: String
        /// Whether the marks count only directly after a thought. Elsewhere they are text, because answers may contain
        /// such tags.
        let followsThought: Bool

        init(_ start: String, _ end: String, followsThought: Bool = false) {
            self.start = start
            self.end = end
            self.followsThought = followsThought
        }

        /// The marks themselves.
        var texts: [String] { [start, end].filter { !$0.isEmpty } }
    }

    /// The name of the dialect.
    public let name: String
    /// What surrounds thoughts; the first is the one that the model is made to write.
    var thoughts: [Enclosure]
    /// What surrounds the answer, where something does.
    var contents: [Enclosure] = []
    /// Texts that mean nothing to the reader of an answer.
    var noise: [String] = []
    /// The messages that an answer consists of, where it consists of several.
    var channels: Channels?
    /// How calls are written; `nil` where they are text.
    var calls: CallSyntax?
    /// Parts of a chat template that show that its model writes calls this way, for templates that write none themselves.
    var hints: [String] = []
    /// The text before an answer in the template from which the dialect was detected.
    public internal(set) var generationPrompt = ""

    init(
        name: String, thoughts: [Enclosure] = [], contents: [Enclosure] = [], noise: [String] = [],
        channels: Channels? = nil, calls: CallSyntax? = nil, hints: [String] = []
    ) {
        self.name = name
        self.thoughts = thoughts.isEmpty ? [.think] : thoughts
        self.contents = contents
        self.noise = noise
        self.channels = channels
        self.calls = calls
        self.hints = hints
    }
}

extension Dialect.Enclosure {
    /// What most models that think write around thoughts.
    static let think = Dialect.Enclosure("<think>", "</think>")

    /// What the others write.
    static let others = [
        Dialect.Enclosure("[THINK]", "[/THINK]"), Dialect.Enclosure("<|START_THINKING|>", "<|END_THINKING|>"),
        Dialect.Enclosure("<seed:think>", "</seed:think>"), Dialect.Enclosure("<mm:think>", "</mm:think>"),
        Dialect.Enclosure("<|inner_prefix|>", "<|inner_suffix|>"),
        Dialect.Enclosure("<think:opensource>", "</think:opensource>"),
        Dialect.Enclosure("<|begin_assistant|>\n", "[BEGIN FINAL RESPONSE]"),
        Dialect.Enclosure("<|begin_of_thought|>", "<|end_of_thought|>"), Dialect.Enclosure("<thinking>", "</thinking>"),
    ]
}

extension Dialect {
    /// No calls, and thoughts between `<think>` and `</think>`.
    public static let plain = Dialect(name: "plain")

    /// The text that begins a thought, if there is one.
    public var thoughtStart: String? { thoughts.first.flatMap { $0.start.isEmpty ? nil : $0.start } }
    /// The text that ends a thought.
    public var thoughtEnd: String? { thoughts.first?.end }
    /// The text that ends a block of calls; `nil` if there is none.
    public var callEnd: String? { calls?.closes.first }
    /// The texts that begin calls.
    public var callStarts: [String] { calls?.starts ?? [] }
    /// Whether a call also ends an open thought.
    public var callsInterruptThoughts: Bool { calls?.interruptsThoughts ?? false }

    /// The texts of all marks, which may be control tokens of a model.
    public var markTexts: [String] {
        let enclosures = (thoughts + contents).flatMap(\.texts)
        return enclosures + noise + (channels?.marks ?? []) + (calls?.marks ?? [])
    }

    /// What is looked for in the text of an answer.
    var textMarks: [String] {
        (thoughts + contents).flatMap(\.texts) + noise + (channels.map { $0.begins + $0.ends } ?? []) + callStarts
    }

    /// What is looked for in thoughts.
    var thoughtMarks: [String] {
        let interrupting =
            contents.filter { !$0.followsThought }.map(\.start) + (callsInterruptThoughts ? callStarts : [])
        return thoughts.map(\.end) + (channels.map { $0.begins + $0.ends } ?? []) + interrupting
    }

    /// Whether blocks of calls are understood as a whole.
    var readsBlocks: Bool {
        switch calls?.form {
        case .python?, .foreign?: true
        case .object?, .named?, .tagged?, nil: false
        }
    }

    /// The dialect without calls, whose marks become text.
    public var withoutCalls: Dialect {
        var dialect = self
        dialect.calls = nil
        return dialect
    }

    /// Returns the dialect with the thoughts and the generation prompt of another one.
    public func thinking(as other: Dialect) -> Dialect {
        var dialect = self
        dialect.thoughts = other.thoughts
        dialect.generationPrompt = other.generationPrompt
        return dialect
    }

    /// Whether calls are parsed; otherwise they are text.
    public var readsCalls: Bool { calls != nil }

    /// This dialect, or LFM's with the same thoughts if this one has no calls.
    public var orLFM: Dialect { readsCalls ? self : Dialect.lfm.thinking(as: self) }
}

/// The messages of which an answer consists; each names its recipient in its header.
///
///     <|start|>assistant<|channel|>analysis<|message|>Let me see.<|end|>
struct Channels: Sendable {
    /// What a message is for.
    enum Purpose: Sendable, Hashable {
        case thought
        case answer
        /// A call whose arguments are the message, by the function's name.
        case arguments(of: String)
        /// A message that holds calls.
        case calls
    }

    /// What begins a header.
    let begins: [String]
    /// What ends a header and begins the message.
    let headerEnd: String
    /// What ends a message.
    let ends: [String]
    /// The purpose of messages with this header; `nil` if the text is not a header.
    let purpose: @Sendable (_ header: String) -> Purpose?
    /// How the header of a call is written.
    let header: @Sendable (_ name: String) -> String
    /// The text that turns a begun message into the answer; empty if unknown.
    var answerHeader = ""

    var marks: [String] { begins + [headerEnd].filter { $0.count > 1 } + ends }
}
