import LeapJSON

/// Lets text of an answer or of a thought through, but for the line breaks that a template writes around thoughts and calls.
struct TextGate {
    /// What came before.
    private enum Before {
        /// Nothing.
        case start
        /// The end of a thought: line breaks that follow are the template's.
        case thought
        /// A block of calls: space that follows is the template's, unless text follows.
        case calls
        case text
    }

    /// Whether line breaks are let through as they are.
    private let isOpen: Bool
    /// Whether those before calls are the template's.
    private let ownsLineBreaks: Bool
    private var before = Before.start
    /// Space that goes with what follows.
    private var held: [UInt8] = []
    private(set) var released: [UInt8] = []
    /// Whether nothing follows that could complete a character.
    private var isFinished = false

    init(isOpen: Bool, ownsLineBreaks: Bool) {
        self.isOpen = isOpen
        self.ownsLineBreaks = ownsLineBreaks
    }

    /// Whether only whitespace has arrived, since the beginning or after a thought.
    var isAtStart: Bool { before == .start || before == .thought }

    /// Whether only line breaks have arrived after a thought.
    var followsThought: Bool { before == .thought }

    mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    private mutating func append(_ byte: UInt8) {
        let isLineBreak = byte == 0x0A || byte == 0x0D
        let isSpace = isLineBreak || byte == 0x20 || byte == 0x09
        guard !isOpen else {
            if !isSpace { before = .text }
            return released.append(byte)
        }
        switch before {
        case .thought where isLineBreak: return
        case .text where isLineBreak || (isSpace && !held.isEmpty), .start where isSpace, .calls where isSpace:
            held.append(byte)
        case .start, .thought, .calls, .text:
            before = .text
            released += held
            held = []
            released.append(byte)
        }
    }

    /// A thought begins.
    mutating func thoughtBegins() {
        if before != .start { released += held }
        held = []
    }

    /// A thought has ended.
    mutating func thoughtEnded() { before = .thought }

    /// Calls begin.
    mutating func callsBegin() {
        if !ownsLineBreaks { released += held }
        held = []
    }

    /// Calls have ended.
    mutating func callsEnded() { before = ownsLineBreaks ? .calls : .text }

    /// The stream has ended.
    mutating func finish() {
        if before != .calls { released += held }
        held = []
        isFinished = true
    }

    /// The text of a thought ends: line breaks at its end are the template's.
    mutating func endThought() {
        held = []
        isFinished = true
    }

    /// Takes what was let through, but for a character at the end of which bytes are missing yet.
    mutating func take() -> [UInt8] {
        let count = isFinished ? released.count : UTF8Text.wholeCount(of: released)
        defer { released.removeFirst(count) }
        return Array(released.prefix(count))
    }

    /// For the text of a new thought.
    mutating func beginThought() { before = .thought }
}
