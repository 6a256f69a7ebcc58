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
    private var decoder: StreamingDecoder
    private var matcher: StopStringMatcher
    private var splitter: AnswerSplitter
    /// Whether nothing is a mark any more.
    private var isPlain = false

    /// - Parameters:
    ///   - stopStrings: Texts that end the answer.
    ///   - callMarks: What surrounds calls; `nil` if they are text.
    ///   - isExact: Whether a space at the beginning belongs to the answer, also where the tokenizer always writes one.
    init(
        tokenizer: Tokenizer, stopStrings: [String], routing: OutputRouting, callMarks: ToolCallMarks? = nil,
        isExact: Bool = false
    ) {
        self.routing = routing
        // A raw answer continues the prompt, so a space at its beginning belongs to it.
        decoder = StreamingDecoder(
            tokenizer: tokenizer, renderSpecial: false, continuesText: routing == .raw || isExact)
        matcher = StopStringMatcher(stopStrings)
        splitter = AnswerSplitter(marks: callMarks, startsInReasoning: routing.startsInReasoning)
        markTokens = routing == .raw ? [:] : Self.markTokens(tokenizer, callMarks)
    }

    /// The stop string that ended the answer.
    var stopString: String? { matcher.match }

    /// Takes a token and emits what has become certain.
    mutating func append(_ token: Token, _ emit: (GenerationEvent) -> Void) {
        guard !isPlain, let mark = markTokens[token] else { return route(matcher.append(decoder.append(token)), emit) }
        let piece = matcher.append(decoder.finish() + mark)
        route(piece, endsWithToken: piece.hasSuffix(mark), emit)
    }

    /// From here on nothing is a mark: the answer is data that may spell one, such as a JSON document.
    mutating func becomePlain(_ emit: (GenerationEvent) -> Void) {
        guard !isPlain, routing != .raw else { return }
        splitter.finish().forEach { deliver($0, emit) }
        isPlain = true
    }

    /// Emits what was held back.
    mutating func finish(_ emit: (GenerationEvent) -> Void) {
        route(matcher.append(decoder.finish()), emit)
        route(matcher.finish(), emit)
        if routing != .raw, !isPlain { splitter.finish().forEach { deliver($0, emit) } }
    }

    private mutating func route(_ piece: String, endsWithToken: Bool = false, _ emit: (GenerationEvent) -> Void) {
        guard !piece.isEmpty else { return }
        guard routing != .raw, !isPlain else { return deliver(.text(piece), emit) }
        splitter.append(piece, endsWithToken: endsWithToken).forEach { deliver($0, emit) }
    }

    /// Collects a piece and emits it.
    private mutating func deliver(_ event: AnswerSplitter.Event, _ emit: (GenerationEvent) -> Void) {
        switch event {
        case .text(let piece):
            text += piece
            emit(.text(piece))
        case .reasoning(let piece):
            reasoning += piece
            emit(routing.isInline ? .text(piece) : .reasoning(piece))
        case .reasoningBegins: if routing.isInline { emit(.text(AnswerSplitter.reasoningStart)) }
        case .reasoningEnds: if routing.isInline { emit(.text(AnswerSplitter.reasoningEnd)) }
        case .calls(let block): emit(.calls(block))
        case .cutOffCalls(let block): emit(.cutOffCalls(block))
        }
    }

    /// Where nobody reads calls, they are text with all their marks, of whatever format.
    private static func markTokens(_ tokenizer: Tokenizer, _ marks: ToolCallMarks?) -> [Token: String] {
        let callMarks = marks.map { [$0] } ?? ToolCallFormat.all.map(\.marks)
        var result: [Token: String] = [:]
        for mark in [AnswerSplitter.reasoningStart, AnswerSplitter.reasoningEnd] + callMarks.flatMap(\.texts) {
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
