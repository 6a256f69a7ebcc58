/// A set of Unicode scalars, as sorted ranges that neither touch nor contain surrogates.
struct ScalarSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    /// The set of all values in the ranges, which may be unsorted and overlap; surrogates are dropped.
    init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            for part in Self.withoutSurrogates(range) { append(part) }
        }
    }

    /// The scalars of a text.
    init(_ text: String) {
        self.init(text.unicodeScalars.map { $0.value...$0.value })
    }

    /// Every scalar.
    static let all = ScalarSet([0...0x10FFFF])

    var isEmpty: Bool { ranges.isEmpty }

    /// Every scalar that is not in the set.
    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    func union(_ other: ScalarSet) -> ScalarSet { ScalarSet(ranges + other.ranges) }

    func subtracting(_ other: ScalarSet) -> ScalarSet { inverted.union(other).inverted }

    private mutating func append(_ range: ClosedRange<UInt32>) {
        guard let last = ranges.last, range.lowerBound <= last.upperBound + 1 else { return ranges.append(range) }
        ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
    }

    private static func withoutSurrogates(_ range: ClosedRange<UInt32>) -> [ClosedRange<UInt32>] {
        var parts: [ClosedRange<UInt32>] = []
        if range.lowerBound < 0xD800 { parts.append(range.lowerBound...min(range.upperBound, 0xD7FF)) }
        if range.upperBound > 0xDFFF { parts.append(max(range.lowerBound, 0xE000)...range.upperBound) }
        return parts
    }
}
