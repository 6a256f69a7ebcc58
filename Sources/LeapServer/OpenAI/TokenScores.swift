import LeapEngine
import LeapJSON
import LeapTokenizer
import OrderedCollections

/// A token in the legacy format of log probabilities.
struct ScoredToken: Sendable {
    /// Its bytes. Those of a character may be spread over several tokens.
    var bytes: [UInt8]
    /// `nil` for the first token of a prompt.
    var logprob: JSONValue?
    /// The alternatives, and the token itself.
    private let alternatives: OrderedDictionary<String, JSONValue>
    /// Whether its text is part of the answer.
    fileprivate let isShown: Bool

    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
    fileprivate var alternativesJSON: JSONValue { logprob == nil ? .null : .object(alternatives) }

    /// A token whose probability is unknown.
    init(_ bytes: [UInt8]) {
        (self.bytes, logprob, alternatives, isShown) = (bytes, nil, [:], true)
    }

    init(_ token: TokenReport, isShown: Bool = true) {
        self.isShown = isShown
        bytes = token.bytes
        logprob = token.finiteLogprob
        // The token itself is not always among the likeliest.
        alternatives = OrderedDictionary(
            (token.alternatives + [token]).map { ($0.text, $0.finiteLogprob) }, uniquingKeysWith: { first, _ in first })
    }
}

/// Log probabilities in the legacy format: parallel lists, with each token's offset in the whole text.
struct TokenScores: Sendable {
    private var offsets: TextOffsets
    private var tokens: [JSONValue] = []
    private var logprobs: [JSONValue] = []
    private var alternatives: [JSONValue] = []
    private var places: [JSONValue] = []

    /// Whether there are none.
    var isEmpty: Bool { tokens.isEmpty }

    /// - Parameter position: Characters before the first token.
    init(from position: Int = 0) {
        offsets = TextOffsets(from: position)
    }

    /// Adds a token.
    mutating func add(_ token: ScoredToken) {
        tokens.append(.string(token.text))
        logprobs.append(token.logprob ?? .null)
        alternatives.append(token.alternativesJSON)
        places.append(.integer(offsets.add(token.isShown ? token.bytes : [])))
    }

    /// Adds tokens.
    mutating func add(_ reports: [TokenReport], from scored: (TokenReport) -> ScoredToken) {
        for report in reports { add(scored(report)) }
    }

    /// Begins a new text at this character offset; an incomplete character at the end of the previous text is dropped.
    mutating func move(to position: Int) { offsets = TextOffsets(from: position) }

    /// What was added since the last call.
    mutating func take() -> TokenScores? {
        guard !isEmpty else { return nil }
        defer { (tokens, logprobs, alternatives, places) = ([], [], [], []) }
        return self
    }

    /// The lists.
    var json: JSONValue {
        [
            "tokens": .array(tokens), "token_logprobs": .array(logprobs), "top_logprobs": .array(alternatives),
            "text_offset": .array(places),
        ]
    }
}

/// Offsets of tokens in a text, in Unicode characters.
struct TextOffsets: Sendable {
    private var position: Int
    /// Bytes of an incomplete character.
    private var begun: [UInt8] = []

    /// - Parameter position: Characters before the first token.
    init(from position: Int = 0) {
        self.position = position
    }

    /// Adds the bytes of a token.
    ///
    /// - Returns: Its offset. A token that continues a character has the character's offset. Invalid bytes count as one
    ///   character, since the text has U+FFFD for them.
    mutating func add(_ bytes: [UInt8]) -> Int {
        if let first = bytes.first, first & 0xC0 != 0x80 { endCharacter() }
        let place = position
        begun += bytes
        let whole = begun.count - UTF8Sequence.incompleteSuffix(of: begun)
        position += String(decoding: begun.prefix(whole), as: UTF8.self).unicodeScalars.count
        begun.removeFirst(whole)
        return place
    }

    private mutating func endCharacter() {
        guard !begun.isEmpty else { return }
        position += 1
        begun = []
    }
}
