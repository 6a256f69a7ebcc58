/// The marks that a family of models writes around its thoughts, its answer and its calls, as data for
/// ``AnswerReader``.
///
/// A new dialect is a file in `Families/` and a line in ``all``; see docs/function-calling.md.
public struct Dialect: Sendable {
    /// A pair of texts that begin and end something.
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
    /// The marks around thoughts; the first pair is used for writing.
    var thoughts: [Enclosure]
    /// Whether a thought may begin after text. If not, a mark there is text: an answer about the marks, of a model that does
    /// not think.
    var thinksAfterText = true
    /// The marks around the answer, if any.
    var contents: [Enclosure] = []
    /// Texts that are ignored when an answer is parsed.
    var noise: [String] = []
    /// The syntax of messages, if an answer consists of several.
    var channels: Channels?
    /// The syntax of calls; `nil` if they are treated as text.
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
    /// The tags of most reasoning models.
    static let think = Dialect.Enclosure("<think>", "</think>")

    /// The tags of the other ones.
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

    /// The marks that end open calls, whatever is open in them, if a mark is a control token: those after a block, and those
    /// between messages. A text without letters, such as a fence, is an ordinary token, and may be a part of a string.
    var tokensThatEndCalls: [String] {
        let marks = (calls?.closes ?? []) + (channels.map { $0.begins + $0.ends } ?? [])
        return marks.filter { $0.contains(where: \.isLetter) }
    }

    /// The marks to search for in the text of an answer.
    var textMarks: [String] {
        (thoughts + contents).flatMap(\.texts) + noise + (channels.map { $0.begins + $0.ends } ?? []) + callStarts
    }

    /// The marks to search for in thoughts.
    var thoughtMarks: [String] {
        let interrupting =
            contents.filter { !$0.followsThought }.map(\.start) + (callsInterruptThoughts ? callStarts : [])
        return thoughts.map(\.end) + (channels.map { $0.begins + $0.ends } ?? []) + interrupting
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
        dialect.thinksAfterText = other.thinksAfterText
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
    /// The purpose of a message.
    enum Purpose: Sendable, Hashable {
        case thought
        case answer
        /// A call whose arguments are the message, by the function's name.
        case arguments(of: String)
        /// A message that contains calls.
        case calls
    }

    /// The text that begins a header.
    let begins: [String]
    /// The text that ends a header and begins the message.
    let headerEnd: String
    /// The text that ends a message.
    let ends: [String]
    /// The purpose of messages with this header; `nil` if the text is not a header.
    let purpose: @Sendable (_ header: String) -> Purpose?
    /// The header of a call.
    let header: @Sendable (_ name: String) -> String
    /// The text that turns a begun message into the answer; empty if unknown.
    var answerHeader = ""

    var marks: [String] { begins + [headerEnd].filter { $0.count > 1 } + ends }
}
