import LeapEngine
import LeapJSON
import LeapTokenizer
import OrderedCollections

/// A token in the older shape of probabilities.
struct ScoredToken: Sendable {
    /// Its bytes. Those of a character may be spread over several tokens.
    var bytes: [UInt8]
    /// `nil` for the first token of a prompt, before which nothing stands.
    var logprob: JSONValue?
    /// What might have stood in its place, and the token itself.
    private let alternatives: OrderedDictionary<String, JSONValue>
    /// Whether its text is a part of the answer's.
    fileprivate let isShown: Bool

    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }
    fileprivate var alternativesJSON: JSONValue { logprob == nil ? .null : .object(alternatives) }

    /// A token of which it is not known how probable it was.
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

/// Probabilities in the older shape: parallel lists, in which each token has its place in the whole text.
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

    /// What was added since the last time.
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
    /// Bytes of a character that is not whole.
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
