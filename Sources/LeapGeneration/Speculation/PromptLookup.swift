import LeapTokenizer

/// Drafts by n-gram lookup: if the last tokens occurred earlier in the prompt or the answer, drafts the tokens that
/// followed them there.
///
/// Source: Saxena 2023, "Prompt Lookup Decoding".
struct PromptLookup {
    /// Tokens that must match. Fewer match too often by chance; more miss text that was slightly changed.
    private static let matchLength = 3

    private var tokens: [Token]
    /// Where each run of ``matchLength`` tokens occurred last: the index after it. The last run of all is not listed,
    /// so that it does not find itself.
    private var places: [Run: Int] = [:]

    private struct Run: Hashable {
        let tokens: SIMD3<Token>
    }

    init(_ tokens: [Token]) {
        self.tokens = tokens
        places.reserveCapacity(tokens.count)
        guard tokens.count > Self.matchLength else { return }
        for end in Self.matchLength..<tokens.count { places[run(before: end)] = end }
    }

    /// Takes a token of the answer.
    mutating func append(_ token: Token) {
        if tokens.count >= Self.matchLength { places[run(before: tokens.count)] = tokens.count }
        tokens.append(token)
    }

    /// Up to `count` tokens that may follow; none if the last ones are new, or if media follow.
    func draft(_ count: Int) -> [Token] {
        guard tokens.count >= Self.matchLength, let place = places[run(before: tokens.count)] else { return [] }
        // A period shorter than the draft continues into the drafted tokens themselves.
        let draft: [Token] = (place..<place + count).reduce(into: []) { draft, index in
            draft.append(index < tokens.count ? tokens[index] : draft[index - tokens.count])
        }
        return Array(draft.prefix { $0 != Prompt.noToken })
    }

    private func run(before end: Int) -> Run {
        Run(tokens: SIMD3(tokens[end - 3], tokens[end - 2], tokens[end - 1]))
    }
}
