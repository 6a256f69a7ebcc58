import LeapChat
import LeapTokenizer

/// Turns tokens into the events of an answer: tokens → characters → up to a stop string → text and reasoning.
struct OutputRouter {
    private static let openingTag = "<think>"
    private static let closingTag = "</think>"

    /// The answer so far, without thoughts.
    private(set) var text = ""
    /// The thoughts so far.
    private(set) var reasoning = ""

    private let tokenizer: Tokenizer
    private let routing: OutputRouting
    private let tagTokens: [Token: String]
    private var decoder: StreamingDecoder
    private var matcher: StopStringMatcher
    private var splitter: ReasoningSplitter
    private var mustOpenTag = false
    /// Whether nothing is a mark any more.
    private var isPlain = false

    /// - Parameters:
    ///   - stopStrings: Texts that end the answer.
    ///   - isExact: Whether a space at the beginning belongs to the answer, also where the tokenizer always writes one.
    init(tokenizer: Tokenizer, stopStrings: [String], routing: OutputRouting, isExact: Bool = false) {
        self.tokenizer = tokenizer
        self.routing = routing
        // A raw answer continues the prompt, so a space at its beginning belongs to it.
        decoder = StreamingDecoder(
            tokenizer: tokenizer, renderSpecial: false, continuesText: routing == .raw || isExact)
        matcher = StopStringMatcher(stopStrings)
        switch routing {
        case .raw:
            splitter = ReasoningSplitter()
            tagTokens = [:]
        case .split(let startsInReasoning):
            splitter = ReasoningSplitter(startsInReasoning: startsInReasoning)
            tagTokens = Self.tagTokens(tokenizer)
        case .inline(let startsInReasoning):
            splitter = ReasoningSplitter(startsInReasoning: startsInReasoning)
            tagTokens = Self.tagTokens(tokenizer)
            mustOpenTag = startsInReasoning
        }
    }

    /// The stop string that ended the answer.
    var stopString: String? { matcher.match }

    /// Takes a token and emits what has become certain.
    mutating func append(_ token: Token, _ emit: (GenerationEvent) -> Void) {
        route(matcher.append(characters(of: token)), emit)
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

    /// Tags are looked for in the text, so they must be visible even where they are control tokens.
    private mutating func characters(of token: Token) -> String {
        guard !isPlain, let tag = tagTokens[token] else { return decoder.append(token) }
        return decoder.finish() + tag
    }

    private mutating func route(_ piece: String, _ emit: (GenerationEvent) -> Void) {
        guard !piece.isEmpty else { return }
        guard routing != .raw else { return deliver(.text(piece), emit) }
        guard !isPlain else {
            text += piece
            return emit(.text(piece))
        }
        if case .inline = routing {
            emit(.text(mustOpenTag ? Self.openingTag + piece : piece))
            mustOpenTag = false
        }
        splitter.append(piece).forEach { deliver($0, emit) }
    }

    /// Collects a piece; emits it unless ``route(_:_:)`` already did.
    private mutating func deliver(_ piece: ReasoningSplitter.Piece, _ emit: (GenerationEvent) -> Void) {
        var isInline = false
        if case .inline = routing { isInline = true }
        switch piece {
        case .text(let piece):
            text += piece
            if !isInline { emit(.text(piece)) }
        case .reasoning(let piece):
            reasoning += piece
            if !isInline { emit(.reasoning(piece)) }
        }
    }

    private static func tagTokens(_ tokenizer: Tokenizer) -> [Token: String] {
        var result: [Token: String] = [:]
        for tag in [openingTag, closingTag] {
            if let token = tokenizer.token(for: tag) { result[token] = tag }
        }
        return result
    }
}
