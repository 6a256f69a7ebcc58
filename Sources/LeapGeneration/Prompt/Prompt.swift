public import LeapTokenizer

/// What a model reads before it answers: tokens, and media in the places of some.
///
/// Every token takes a position of the context, and every row of media takes one. Prompts that have the same tokens and the
/// same media up to some position are the same to a model up to there, however the media came about.
public struct Prompt: Sendable, Hashable {
    /// The token at every position; ``noToken`` where a row of media stands.
    public private(set) var tokens: [Token]
    /// The media, in their order.
    private(set) var media: [PlacedMedia] = []
    /// Whose prompt it is, where that matters: what is learned of it is found by its owner's prompts alone, so that nobody can
    /// tell by the time that an answer takes what others have asked.
    public var owner = ""
    /// How much every adapter of the model weighs, in the order in which it was loaded with them; as it was loaded, when `nil`.
    /// What a model learns of a prompt with some scales is nothing to prompts with others.
    public var adapterScales: [Float]?

    /// What stands in ``tokens`` in the place of media: no vocabulary has it.
    public static let noToken: Token = -1

    /// Makes a prompt of tokens alone.
    public init(_ tokens: some Sequence<Token> = []) {
        self.tokens = Array(tokens)
    }

    /// Positions that the prompt takes.
    public var count: Int { tokens.count }

    /// Whether there is nothing to read.
    public var isEmpty: Bool { tokens.isEmpty }

    /// Adds tokens.
    public mutating func append(_ tokens: some Sequence<Token>) {
        self.tokens += tokens
    }

    /// Adds media, in as many positions as they have rows.
    public mutating func append(_ media: PromptMedia) {
        guard media.rowCount > 0 else { return }
        self.media.append(PlacedMedia(start: count, media: media))
        tokens += repeatElement(Self.noToken, count: media.rowCount)
    }

    /// Makes the prompt an owner's, with all media: neither what is learned of it nor the rows of its media are found by others.
    public mutating func belong(to owner: String) {
        self.owner = owner
        media = media.map { PlacedMedia(start: $0.start, media: $0.media.belonging(to: owner)) }
    }

    /// The prompt with tokens behind it: what was said when its answer is.
    public static func + (prompt: Prompt, tokens: some Sequence<Token>) -> Prompt {
        var prompt = prompt
        prompt.append(tokens)
        return prompt
    }

    /// The first positions alone: at most as many as given, so that media are there as a whole or not at all.
    public func prefix(_ count: Int) -> Prompt {
        var prompt = Prompt(tokens.prefix(media.first { $0.contains(boundary: count) }?.start ?? count))
        prompt.media = media.filter { $0.end <= prompt.count }
        prompt.owner = owner
        prompt.adapterScales = adapterScales
        return prompt
    }
}

extension Prompt: ExpressibleByArrayLiteral {
    /// Makes a prompt of tokens alone.
    public init(arrayLiteral tokens: Token...) {
        self.init(tokens)
    }
}

/// Media, and where they stand in a prompt.
struct PlacedMedia: Hashable {
    /// The position of the first row.
    let start: Int
    let media: PromptMedia

    /// The position behind the last row.
    var end: Int { start + media.rowCount }

    /// Whether a boundary, which stands before the position of its number, would cut the media.
    func contains(boundary: Int) -> Bool { start < boundary && boundary < end }
}
