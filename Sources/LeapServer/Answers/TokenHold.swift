import LeapTokenizer

/// Holds back token reports until the text to which the tokens contribute is emitted.
///
/// Text that may be the beginning of a stop string is withheld, and so are the bytes of an incomplete character. A
/// token whose bytes are all withheld waits; if they turn out to be the stop string, the token is never reported.
struct TokenHold<Token: Sendable>: Sendable {
    private let stops: [[UInt8]]
    private var waiting: [(token: Token, length: Int)] = []
    /// The last bytes of the answer, as many as matter.
    private var tail: [UInt8] = []
    /// Bytes that came after the last piece of text, or were withheld from it.
    private var unshown = 0

    /// - Parameter stops: The stop strings.
    init(stops: [String]) {
        self.stops = stops.map { Array($0.utf8) }
    }

    /// Takes a token.
    mutating func add(_ token: Token, _ bytes: [UInt8]) {
        waiting.append((token, bytes.count))
        tail += bytes
        unshown += bytes.count
    }

    /// Takes a piece of text.
    ///
    /// - Returns: The tokens that contribute to it.
    mutating func show(_ text: String) -> [Token] {
        unshown = min(max(0, unshown - text.utf8.count), withheldLength)
        defer { tail.removeFirst(max(0, tail.count - max(unshown, stops.map(\.count).max() ?? 0, 4))) }
        var rest = unshown
        let count = waiting.reversed().prefix { waiting in
            rest -= waiting.length
            return rest >= 0
        }.count
        return take(waiting.count - count)
    }

    /// The tokens that are still withheld, except for some at the end.
    mutating func end(leavingOut count: Int) -> [Token] {
        defer { waiting = [] }
        return take(max(0, waiting.count - count))
    }

    private mutating func take(_ count: Int) -> [Token] {
        defer { waiting.removeFirst(count) }
        return waiting.prefix(count).map(\.token)
    }

    /// Bytes at the end of the answer that are withheld.
    private var withheldLength: Int {
        let unfinished = UTF8Sequence.incompleteSuffix(of: tail)
        let text = tail.dropLast(unfinished)
        return unfinished + (stops.map { $0.beginningLength(atEndOf: text) }.max() ?? 0)
    }
}

extension [UInt8] {
    /// The length of the longest prefix of these bytes with which a text ends.
    fileprivate func beginningLength(atEndOf text: ArraySlice<UInt8>) -> Int {
        stride(from: Swift.min(count, text.count), to: 0, by: -1).first { text.suffix($0) == self.prefix($0) } ?? 0
    }

    /// The first offset of these bytes in others, given as parts, at which they end within the last part.
    func beginning(atEndOf parts: [[UInt8]]) -> Int? {
        guard let last = parts.last, !isEmpty else { return nil }
        let total = parts.reduce(0) { $0 + $1.count }
        let text = Array(parts.joined())
        let first = Swift.max(0, total - last.count - count + 1)
        guard first + count <= total else { return nil }
        return (first...(total - count)).first { text[$0..<($0 + count)] == self[...] }
    }
}
