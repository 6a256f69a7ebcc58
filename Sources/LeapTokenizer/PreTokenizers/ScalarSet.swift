/// A bracket expression: scalar classes and ranges of scalars.
///
/// Whitespace is a member by class only, never by range: the tables behind existing token ids see every space outside
/// ASCII as one and the same blank, so that `[　-。]` does not hold U+3000.
struct ScalarSet: Sendable {
    private let classes: ScalarClass
    /// Ascending, not overlapping.
    private let ranges: [ClosedRange<UInt32>]

    /// The classes and the ranges of `bracket`, the text between `[` and `]` without escapes: `A-Za-zµ`.
    init(_ classes: ScalarClass = [], _ bracket: String = "") {
        self.classes = classes
        ranges = Self.merged(Self.parse(bracket))
    }

    /// Whether the scalar at `position` is a member.
    @inline(__always)
    func contains(_ text: ScalarText, at position: Int) -> Bool {
        let kind = text.classes[position]
        if kind.isAny(of: classes) { return true }
        return !ranges.isEmpty && !kind.isAny(of: .whitespace) && isInRange(text.scalars[position])
    }

    private func isInRange(_ scalar: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < scalar { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(scalar)
    }

    private static func parse(_ bracket: String) -> [ClosedRange<UInt32>] {
        var ranges: [ClosedRange<UInt32>] = []
        var rest = bracket.unicodeScalars[...]
        while let first = rest.popFirst() {
            var last = first
            if rest.first == "-", let upper = rest.dropFirst().first, upper >= first {
                last = upper
                rest = rest.dropFirst(2)
            }
            ranges.append(first.value...last.value)
        }
        return ranges
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var result: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result
    }
}
