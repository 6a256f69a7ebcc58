/// The texts of a model's control tokens, which only a template can write.
///
/// They are found regardless of the case of ASCII letters, because a template may change it.
public struct ReservedTexts: Sendable {
    /// What is found at an offset of a text.
    enum Find {
        /// A reserved text.
        case whole
        /// The beginning of one, up to the text's end.
        case begun
    }

    /// The texts in lower case, ascending, each once.
    private let texts: [[UInt8]]
    /// Those of control tokens.
    private let controls: [[UInt8]]
    /// Whether a text begins with a byte.
    private var begins = [Bool](repeating: false, count: 256)
    /// The bytes of control tokens after their first one.
    private var continuationPairs = BytePairs()
    private let longest: Int

    /// Indexes the texts of control tokens. The characters that represent the marks of ``InputMarks`` are reserved too.
    public init(_ controlTexts: some Sequence<String>) {
        let controls = Set(controlTexts.map(Self.folded)).subtracting([[]])
        let escapes = InputMark.allCases.map { Self.folded($0.escape) }
        self.controls = Array(controls)
        texts = controls.union(escapes).sorted { $0.lexicographicallyPrecedes($1) }
        longest = texts.map(\.count).max() ?? 0
        for text in texts { begins[Int(text[0])] = true }
        for text in controls { continuationPairs.insert(text.dropFirst()) }
    }

    /// A text as texts are compared.
    static func folded(_ text: String) -> [UInt8] { text.utf8.map(folded) }

    @inline(__always)
    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}

// MARK: - Finding

extension ReservedTexts {
    /// What begins at a place.
    ///
    /// - Parameter spared: Texts that do not count, as ``folded(_:)`` gives them.
    func find(in bytes: [UInt8], at start: Int, sparing spared: Set<[UInt8]> = []) -> Find? {
        guard begins[Int(Self.folded(bytes[start]))] else { return nil }
        var candidates = texts.indices
        var length = 0
        while start + length < bytes.count {
            candidates = narrowed(candidates, at: length, to: Self.folded(bytes[start + length]))
            length += 1
            guard let first = candidates.first else { return nil }
            guard texts[first].count == length else { continue }
            if !spared.contains(texts[first]) { return .whole }
            candidates = candidates.dropFirst()
        }
        return candidates.isEmpty ? nil : .begun
    }

    /// The candidates, which share a prefix, that continue with a byte.
    private func narrowed(_ candidates: Range<Int>, at depth: Int, to byte: UInt8) -> Range<Int> {
        let start = firstIndex(in: candidates) { texts[$0][depth] >= byte }
        return start..<firstIndex(in: start..<candidates.upperBound) { texts[$0][depth] > byte }
    }

    /// The first index from which on something holds, by bisection.
    private func firstIndex(in range: Range<Int>, where holds: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// MARK: - Parts

extension ReservedTexts {
    /// Whether some bytes could continue the text of a control token: be an inner part of it, or begin with its end.
    func mayContinue(with bytes: ArraySlice<UInt8>) -> Bool {
        let beginning = bytes.prefix(longest).map(Self.folded)
        guard continuationPairs.contain(beginning) else { return false }
        return controls.contains { Self.text($0, continuesWith: beginning) }
    }

    private static func text(_ text: [UInt8], continuesWith bytes: [UInt8]) -> Bool {
        for start in text.indices.dropFirst() where text[start] == bytes.first {
            var count = 1
            while start + count < text.count, count < bytes.count, text[start + count] == bytes[count] { count += 1 }
            if start + count == text.count || count == bytes.count { return true }
        }
        return false
    }

    /// Whether bytes end with the beginning of a reserved text.
    ///
    /// - Parameter spared: See ``find(in:at:sparing:)``.
    func mayBegin(atEndOf bytes: ArraySlice<UInt8>, sparing spared: Set<[UInt8]>) -> Bool {
        let tail = Array(bytes.suffix(longest - 1))
        return tail.indices.contains { find(in: tail, at: $0, sparing: spared) == .begun }
    }
}

/// A set of adjacent byte pairs: a fast test that excludes most texts.
private struct BytePairs {
    private var pairs = [Bool](repeating: false, count: 1 << 16)
    private var firsts = [Bool](repeating: false, count: 1 << 8)

    /// Adds the pairs of a text; its last byte makes a pair with every other.
    mutating func insert(_ text: ArraySlice<UInt8>) {
        for (first, second) in zip(text, text.dropFirst()) { pairs[Self.index(first, second)] = true }
        for byte in text { firsts[Int(byte)] = true }
        guard let last = text.last else { return }
        for second in UInt8.min...UInt8.max { pairs[Self.index(last, second)] = true }
    }

    /// Whether the first two bytes of a text are such a pair, or its only byte begins one.
    func contain(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return false }
        return text.count > 1 ? pairs[Self.index(first, text[1])] : firsts[Int(first)]
    }

    private static func index(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }
}
