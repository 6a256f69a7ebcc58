public import LeapTokenizer

/// Makes a token less likely that would continue a repetition ("don't repeat yourself"). Where the last n tokens of
/// the sequence stand somewhere before as well, followed by a token, then for that token
///
///     logit ← logit − multiplier · base^(n − allowedLength)    if n ≥ allowedLength
///
/// with the longest n. A breaker, such as a line break, is in no repetition: the count of n stops at it, and it is never
/// made less likely. Runs before anything is narrowed. Source: P. E. Weidmann 2024, "DRY: A modern repetition penalty",
/// text-generation-webui pull request 5677.
struct DRY: SamplingStep {
    private let settings: DRYSettings
    /// The latest tokens; at most twice as many as are examined.
    private var history: [Token] = []
    /// `matches[j]`: how many of the last tokens also precede the j-th token from the end.
    private var matches: [Int] = []
    /// Tokens that would continue a repetition, and its length.
    private var lengths: [Token: Int] = [:]

    init?(_ settings: DRYSettings) {
        guard settings.multiplier > 0, settings.base >= 1, settings.window > 0 else { return nil }
        self.settings = settings
    }

    mutating func accept(_ token: Token) {
        history.append(token)
        // In halves, so that a token costs a constant time on average.
        if history.count / 2 >= settings.window { history.removeFirst(history.count - settings.window) }
    }

    mutating func apply(to candidates: inout Candidates, random: inout SplitMix64) {
        guard let row = candidates.logits else { return }
        findRepetitions()
        for (token, length) in lengths where row.indices.contains(Int(token)) {
            row[Int(token)] -= penalty(length)
        }
    }

    /// At most what a `Float` holds, however long a repetition is.
    private func penalty(_ length: Int) -> Float {
        var power = 1.0
        let base = Double(settings.base)
        for _ in 0..<(length - max(settings.allowedLength, 0)) where power < 1e38 { power *= base }
        return Float(min(Double(settings.multiplier) * power, 1e38))
    }

    /// Sets ``lengths``: one pass over the window, from its end.
    private mutating func findRepetitions() {
        lengths.removeAll(keepingCapacity: true)
        let window = history.suffix(settings.window)
        let limit = window.reversed().prefix { !settings.breakers.contains($0) }.count
        let shortest = max(settings.allowedLength, 1)
        guard limit >= shortest else { return }
        countMatches(window)
        for (offset, count) in matches.enumerated().dropFirst() where count >= shortest {
            let next = window[window.endIndex - offset]
            if settings.breakers.contains(next) { continue }
            lengths[next] = max(lengths[next] ?? 0, min(count, limit))
        }
    }

    /// The Z-function of the window read from its end. Source: Gusfield 1997, "Algorithms on strings, trees and
    /// sequences", section 1.4.
    private mutating func countMatches(_ window: ArraySlice<Token>) {
        let count = window.count
        let last = window.endIndex - 1
        matches.removeAll(keepingCapacity: true)
        matches.append(contentsOf: repeatElement(0, count: count))
        // window[last - left] ... is known to equal the end of the window, up to `right`.
        var (left, right) = (0, 0)
        for index in 1..<max(count, 1) {
            var length = index < right ? min(right - index, matches[index - left]) : 0
            while index + length < count, window[last - length] == window[last - index - length] { length += 1 }
            matches[index] = length
            if index + length > right { (left, right) = (index, index + length) }
        }
    }
}

/// How repetitions are made less likely; see ``SamplerConfiguration/dry``.
public struct DRYSettings: Sendable, Hashable {
    /// Subtracted from a logit for a repetition of ``allowedLength``. 0: off.
    public var multiplier: Float
    /// What each further token of a repetition multiplies the penalty by.
    public var base: Float
    /// Repetitions shorter than this cost nothing. 0 or less: even the shortest costs a multiple.
    public var allowedLength: Int
    /// How many of the latest tokens are looked at. 0 or less: none.
    public var window: Int
    /// Tokens that no repetition goes beyond.
    public var breakers: Set<Token>

    /// No penalty, and for whoever changes ``multiplier`` alone, the values that the method's author recommends.
    public init(
        multiplier: Float = 0, base: Float = 1.75, allowedLength: Int = 2, window: Int = .max,
        breakers: Set<Token> = []
    ) {
        self.multiplier = multiplier
        self.base = base
        self.allowedLength = allowedLength
        self.window = window
        self.breakers = breakers
    }
}
