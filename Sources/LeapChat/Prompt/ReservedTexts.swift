/// Texts that only a template may write, because to the model they are more than text: those of its control tokens.
///
/// They are found whatever the case of their ASCII letters, because a template may change it.
public struct ReservedTexts: Sendable {
    /// What stands at a place of a text.
    enum Find {
        /// A reserved text.
        case whole
        /// The beginning of one, up to the text's end.
        case begun
    }

    /// The texts in lower case, ascending, each once.
    private let texts: [[UInt8]]
    /// Whether a text begins with a byte.
    private var begins = [Bool](repeating: false, count: 256)
    /// Whether a byte stands in a control token's text behind the first one.
    private var goesOn = [Bool](repeating: false, count: 256)
    private let longest: Int

    /// Indexes texts. What programs write instead of the marks of ``InputMarks`` is reserved too.
    public init(_ texts: some Sequence<String>) {
        let all = Self.escapes.union(texts.map(Self.folded)).subtracting([[]])
        self.texts = all.sorted { $0.lexicographicallyPrecedes($1) }
        longest = all.map(\.count).max() ?? 0
        for text in self.texts {
            begins[Int(text[0])] = true
            guard !Self.escapes.contains(text) else { continue }
            for byte in text.dropFirst() { goesOn[Int(byte)] = true }
        }
    }

    /// What programs write instead of marks.
    private static let escapes = Set(InputMark.allCases.map { folded($0.escape) })

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

    /// Those of some candidates, which begin alike, that go on with a byte.
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
    /// Whether some bytes may stand in a control token's text behind what comes before them: as a part of it, or with its end
    /// at their beginning.
    func mayContinue(with bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first.map(Self.folded), goesOn[Int(first)] else { return false }
        return texts.contains { text in
            !Self.escapes.contains(text)
                && text.indices.dropFirst().contains { start in
                    text[start] == first && zip(text[start...], bytes).allSatisfy { $0 == Self.folded($1) }
                }
        }
    }

    /// Whether bytes end with the beginning of a reserved text.
    ///
    /// - Parameter spared: See ``find(in:at:sparing:)``.
    func mayBegin(atEndOf bytes: ArraySlice<UInt8>, sparing spared: Set<[UInt8]>) -> Bool {
        let tail = Array(bytes.suffix(longest - 1))
        return tail.indices.contains { find(in: tail, at: $0, sparing: spared) == .begun }
    }
}
