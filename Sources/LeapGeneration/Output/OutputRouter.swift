import LeapChat
import LeapTokenizer

/// Turns tokens into the events of an answer: tokens → characters → up to a stop string → text, reasoning and calls.
struct OutputRouter {
    /// The answer so far, without thoughts and calls.
    private(set) var text = ""
    /// The thoughts so far.
    private(set) var reasoning = ""

    private let routing: OutputRouting
    /// Control tokens that are marks. Marks are looked for in the text, so these must be visible there.
    private let markTokens: [Token: String]
    /// The marks around thoughts, if these are part of the text.
    private let thoughtMarks: (start: String, end: String)
    private var decoder: StreamingDecoder
    private var matcher: StopStringMatcher
    private var reader: AnswerReader
    /// Whether nothing is a mark any more.
    private var isPlain = false

    /// - Parameters:
    ///   - stopStrings: Texts that end the answer.
    ///   - reading: How thoughts and calls are written.
    ///   - isExact: Whether a space at the beginning belongs to the answer, also where the tokenizer always writes one.
    init(
        tokenizer: Tokenizer, stopStrings: [String], routing: OutputRouting, reading: AnswerReading = AnswerReading(),
        isExact: Bool = false
    ) {
        self.routing = routing
        // A raw answer continues the prompt, so a space at its beginning belongs to it.
        decoder = StreamingDecoder(
            tokenizer: tokenizer, renderSpecial: false, continuesText: routing == .raw || isExact)
        matcher = StopStringMatcher(stopStrings)
        reader = reading.reader(keepsLineBreaks: routing.isInline)
        if let header = reading.header, !routing.startsInReasoning { reader.beginHeader(header) }
        thoughtMarks = (reading.dialect.thoughtStart ?? "", reading.dialect.thoughtEnd ?? "")
        markTokens = routing == .raw ? [:] : Self.markTokens(tokenizer, reading.dialect)
        // What the prompt has begun is not reported, except a mark that needs its closing one.
        begun = routing.startsInReasoning ? reader.beginThought() : []
    }

    /// Events for what the prompt has begun, held back until something is generated.
    private var begun: [AnswerReader.Event]

    /// The stop string that ended the answer.
    var stopString: String? { matcher.match }

    /// Where the answer stands.
    var stage: AnswerReader.Stage { isPlain || routing == .raw ? .text : reader.stage }

    /// Takes a token and emits what has become certain.
    mutating func append(_ token: Token, _ emit: (GenerationEvent) -> Void) {
        guard !isPlain, let mark = markTokens[token] else { return route(matcher.append(decoder.append(token)), emit) }
        let piece = matcher.append(decoder.finish() + mark)
        route(piece, endsWithToken: piece.hasSuffix(mark), emit)
    }

    /// From here on nothing is a mark: the answer is data that may spell one, such as a JSON document.
    mutating func becomePlain(_ emit: (GenerationEvent) -> Void) {
        guard !isPlain, routing != .raw else { return }
        // What may have been the beginning of a stop string belongs to what comes before the data.
        route(matcher.finish(), emit)
        reader.finish().forEach { deliver($0, emit) }
        isPlain = true
    }

    /// Emits what was held back.
    mutating func finish(_ emit: (GenerationEvent) -> Void) {
        route(matcher.append(decoder.finish()), emit)
        route(matcher.finish(), emit)
        if routing != .raw, !isPlain { reader.finish().forEach { deliver($0, emit) } }
    }

    private mutating func route(_ piece: String, endsWithToken: Bool = false, _ emit: (GenerationEvent) -> Void) {
        guard !piece.isEmpty else { return }
        guard routing != .raw, !isPlain else { return deliver(.text(piece), emit) }
        begun.forEach { deliver($0, emit) }
        begun = []
        reader.append(piece, endsWithToken: endsWithToken).forEach { deliver($0, emit) }
    }

    /// Collects a piece and emits it.
    private mutating func deliver(_ event: AnswerReader.Event, _ emit: (GenerationEvent) -> Void) {
        switch event {
        case .text(let piece):
            text += piece
            emit(.text(piece))
        case .reasoning(let piece):
            reasoning += piece
            emit(routing.isInline ? .text(piece) : .reasoning(piece))
        case .reasoningBegins: if routing.isInline { emit(.text(thoughtMarks.start)) }
        case .reasoningEnds: if routing.isInline { emit(.text(thoughtMarks.end)) }
        case .callBegins(let index, let id, let name): emit(.callBegins(index: index, id: id, name: name))
        case .callArguments(let index, let piece): emit(.callArguments(index: index, piece))
        case .calls(let calls): emit(.calls(calls))
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
