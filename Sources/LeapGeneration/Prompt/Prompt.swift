public import LeapTokenizer

/// What a model reads before it answers: tokens, and media in the places of some.
///
/// Every token and every row of media takes one position of the context. To the model, prompts with the same tokens and
/// media up to some position are the same up to there, however the media were made.
public struct Prompt: Sendable, Hashable {
    /// The token at every position; ``noToken`` where a row of media stands.
    public private(set) var tokens: [Token]
    /// The media, in their order.
    private(set) var media: [PlacedMedia] = []
    /// The owner of the prompt, for isolation: its cached state is found only by prompts of the same owner, so that
    /// nobody can infer from response times what others have asked. Empty for none.
    public var owner = ""
    /// The scale of each adapter, in the order in which they were loaded; `nil` for the scales they were loaded with. Cached
    /// state is not shared between prompts with different scales.
    public var adapterScales: [Float]?

    /// The placeholder for media in ``tokens``: no vocabulary has it.
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

    /// Assigns the prompt and its media to an owner: prompts of others share neither its cached state nor its media rows.
    public mutating func belong(to owner: String) {
        self.owner = owner
        media = media.map { PlacedMedia(start: $0.start, media: $0.media.belonging(to: owner)) }
    }

    /// The prompt followed by tokens, such as those of its answer.
    public static func + (prompt: Prompt, tokens: some Sequence<Token>) -> Prompt {
        var prompt = prompt
        prompt.append(tokens)
        return prompt
    }

    /// The first positions, at most `count`: fewer if the cut would split media.
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

/// Media, and their positions in a prompt.
struct PlacedMedia: Hashable {
    /// The position of the first row.
    let start: Int
    let media: PromptMedia

    /// The position after the last row.
    var end: Int { start + media.rowCount }

    /// Whether a cut in front of position `boundary` would split the media.
    func contains(boundary: Int) -> Bool { start < boundary && boundary < end }
}
