import LeapChat
import LeapTokenizer

/// Turns tokens into the events of an answer: tokens → characters → up to a stop string → text, reasoning and calls.
struct OutputRouter {
    /// The answer so far, without thoughts and calls.
    private(set) var text = ""
    /// The thoughts so far.
    private(set) var reasoning = ""

    private let tokenizer: Tokenizer
    private let routing: OutputRouting
    /// Control tokens that are marks. Marks are looked for in the text, so these must be visible there.
    private let markTokens: [Token: String]
    /// The marks around thoughts, if these are part of the text.
    private let thoughtMarks: (start: String, end: String)
    private var decoder: StreamingDecoder
    private var matcher: StopStringMatcher
    private var reader: AnswerReader
    /// Reads what is collected, if that differs from what is emitted: inline thoughts are emitted with the line breaks that
    /// the template writes around them, but these belong neither to the text nor to the reasoning.
    private var collector: AnswerReader?
    /// Whether nothing is a mark any more.
    private var isPlain = false
    /// Whether nothing is emitted after the first block of calls.
    private let endsAfterCalls: Bool
    /// Whether a block of calls has been emitted.
    private(set) var hasCalls = false
    /// Bytes of text that the tokens have contributed.
    private var written = 0
    /// Bytes of it that certainly precede any stop string.
    private var released = 0
    /// Tokens of whose text nothing is released yet, and the bytes of text that were written before each.
    private var unreported: [(token: TokenProbability, start: Int)] = []

    /// - Parameters:
    ///   - stopStrings: Texts that end the answer.
    ///   - reading: How thoughts and calls are written.
    ///   - isExact: Whether a space at the beginning belongs to the answer, even if the tokenizer always writes one.
    ///   - endsAfterCalls: Whether nothing is emitted after the first block of calls.
    init(
        tokenizer: Tokenizer, stopStrings: [String], routing: OutputRouting, reading: AnswerReading = AnswerReading(),
        isExact: Bool = false, endsAfterCalls: Bool = false
    ) {
        self.tokenizer = tokenizer
        self.endsAfterCalls = endsAfterCalls
        self.routing = routing
        // A raw answer continues the prompt, so a space at its beginning belongs to it.
        decoder = StreamingDecoder(
            tokenizer: tokenizer, renderSpecial: false, continuesText: routing == .raw || isExact)
        matcher = StopStringMatcher(stopStrings)
        (reader, begun) = Self.reader(reading, routing, keepsLineBreaks: routing.isInline)
        collector = routing.isInline ? Self.reader(reading, routing, keepsLineBreaks: false).reader : nil
        thoughtMarks = (reading.dialect.thoughtStart ?? "", reading.dialect.thoughtEnd ?? "")
        markTokens = routing == .raw ? [:] : Self.markTokens(tokenizer, reading.dialect)
    }

    /// A reader behind what the prompt has begun. That is not reported, except a mark that needs its closing one.
    private static func reader(
        _ reading: AnswerReading, _ routing: OutputRouting, keepsLineBreaks: Bool
    ) -> (reader: AnswerReader, begun: [AnswerReader.Event]) {
        var reader = reading.reader(keepsLineBreaks: keepsLineBreaks)
        guard !routing.startsInReasoning else {
            let begun = reader.beginThought()
            return (reader, begun)
        }
        if let header = reading.header { reader.beginHeader(header) }
        return (reader, [])
    }

    /// Events for what the prompt has begun, held back until something is generated.
    private var begun: [AnswerReader.Event]

    /// The stop string that ended the answer.
    var stopString: String? { matcher.match }

    /// Where the answer stands.
    var stage: AnswerReader.Stage { isPlain || routing == .raw ? .text : reader.stage }

    /// Holds back how probable the next token was, until the first text to which it contributes is certain to precede any
    /// stop string. Tokens that contribute to nothing but a stop string are never reported.
    mutating func report(_ token: TokenProbability) {
        unreported.append((token, written + lengthOfCharacter(brokenBy: token.token)))
    }

    /// Bytes of the U+FFFD that stands for an incomplete character, if a token does not continue it.
    private func lengthOfCharacter(brokenBy token: Token) -> Int {
        let first = tokenizer.bytes(of: token, renderSpecial: !isPlain && markTokens[token] != nil).first
        guard let first, first & 0xC0 != 0x80 else { return 0 }
        var decoder = decoder
        return decoder.finish().utf8.count
    }

    /// Takes a token and emits what has become certain.
    mutating func append(_ token: Token, _ emit: (GenerationEvent) -> Void) {
        guard !isPlain, let mark = markTokens[token] else { return route(write(decoder.append(token)), emit) }
        let piece = write(decoder.finish() + mark)
        route(piece, endsWithToken: piece.hasSuffix(mark), emit)
    }

    /// From here on nothing is a mark: the answer is data that may spell one, such as a JSON document.
    mutating func becomePlain(_ emit: (GenerationEvent) -> Void) {
        guard !isPlain, routing != .raw else { return }
        // What may have been the beginning of a stop string belongs to what comes before the data.
        route(matcher.finish(), emit)
        deliver(reader.finish(), collected: collector?.finish(), emit)
        isPlain = true
    }

    /// Emits what was held back.
    mutating func finish(_ emit: (GenerationEvent) -> Void) {
        route(write(decoder.finish()), emit)
        route(matcher.finish(), emit)
        // Without a stop string, the tokens that are left made no text at all.
        if matcher.match == nil { reportTokens(before: .max, emit) }
        if routing != .raw, !isPlain { deliver(reader.finish(), collected: collector?.finish(), emit) }
    }

    /// Counts a text, and returns what certainly precedes any stop string.
    private mutating func write(_ text: String) -> String {
        written += text.utf8.count
        return matcher.append(text)
    }

    /// Emits the tokens whose text begins before a place, in bytes.
    private mutating func reportTokens(before end: Int, _ emit: (GenerationEvent) -> Void) {
        guard !unreported.isEmpty else { return }
        let count = unreported.prefix { $0.start < end }.count
        for index in 0..<count { emit(.token(unreported[index].token)) }
        unreported.removeFirst(count)
    }

    private mutating func route(_ piece: String, endsWithToken: Bool = false, _ emit: (GenerationEvent) -> Void) {
        guard !piece.isEmpty else { return }
        released += piece.utf8.count
        reportTokens(before: released, emit)
        guard routing != .raw, !isPlain else { return deliver(.text(piece), emit) }
        deliver(begun, collected: nil, emit)
        begun = []
        deliver(
            reader.append(piece, endsWithToken: endsWithToken),
            collected: collector?.append(piece, endsWithToken: endsWithToken), emit)
    }

    /// Collects what a reader has found, and emits it.
    ///
    /// - Parameter collected: What to collect instead, if not the same.
    private mutating func deliver(
        _ events: [AnswerReader.Event], collected: [AnswerReader.Event]?, _ emit: (GenerationEvent) -> Void
    ) {
        guard let collected else { return events.forEach { deliver($0, emit) } }
        guard !isOver else { return }
        for event in collected {
            if endsAfterCalls, case .calls = event { break }
            collect(event)
        }
        for event in events where !isOver { show(event, emit) }
    }

    private mutating func deliver(_ event: AnswerReader.Event, _ emit: (GenerationEvent) -> Void) {
        guard !isOver else { return }
        collect(event)
        show(event, emit)
    }

    /// Whether nothing more is delivered. The end of a block without a mark of its own is recognised by what follows it.
    private var isOver: Bool { endsAfterCalls && hasCalls }

    private mutating func collect(_ event: AnswerReader.Event) {
        switch event {
        case .text(let piece): text += piece
        case .reasoning(let piece): reasoning += piece
        case .reasoningBegins, .reasoningEnds, .callBegins, .callArguments, .calls, .unreadable: break
        }
    }

    private mutating func show(_ event: AnswerReader.Event, _ emit: (GenerationEvent) -> Void) {
        switch event {
        case .text(let piece): emit(.text(piece))
        case .reasoning(let piece): emit(routing.isInline ? .text(piece) : .reasoning(piece))
        case .reasoningBegins: if routing.isInline { emit(.text(thoughtMarks.start)) }
        case .reasoningEnds: if routing.isInline { emit(.text(thoughtMarks.end)) }
        case .callBegins(let index, let id, let name): emit(.callBegins(index: index, id: id, name: name))
        case .callArguments(let index, let piece): emit(.callArguments(index: index, piece))
        case .calls(let calls):
            hasCalls = true
            emit(.calls(calls))
        case .unreadable(let error): emit(.unreadableCall(error))
        }
    }

    /// If calls are not read, they are text with all their marks, whatever the dialect.
    private static func markTokens(_ tokenizer: Tokenizer, _ dialect: Dialect) -> [Token: String] {
        let others = dialect.callStarts.isEmpty ? Dialect.all.flatMap(\.callMarkTexts) : []
        var result: [Token: String] = [:]
        for mark in dialect.markTexts + others {
            if let token = tokenizer.token(for: mark) { result[token] = mark }
        }
        return result
    }
}

extension OutputRouting {
    /// Whether the prompt ends inside a thought.
    var startsInReasoning: Bool {
        switch self {
        case .raw: false
        case .split(let startsInReasoning), .inline(let startsInReasoning): startsInReasoning
        }
    }

    fileprivate var isInline: Bool {
        if case .inline = self { true } else { false }
    }
}
