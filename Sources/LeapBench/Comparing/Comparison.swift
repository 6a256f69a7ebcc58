import Foundation
import LeapToolSupport

/// A comparison of two files of results, test by test.
struct Comparison {
    struct Line: Hashable {
        let name: String
        let first: Statistics
        let second: Statistics
        let test: RankTest

        /// The second median divided by the first.
        var ratio: Double { second.median / first.median }

        var verdict: String {
            guard test.canBeSignificant else { return "not enough runs" }
            guard test.isSignificant else { return "no difference" }
            return ratio > 1 ? "faster" : "slower"
        }
    }

    let lines: [Line]
    /// Tests that occur in only one of the files.
    let unmatched: [String]

    /// Matches tests by name, and by those properties in which the tests of one file differ, as far as both files
    /// record them. Repetitions of a test that occurs several times in a file are combined.
    init(_ first: [RecordedTest], _ second: [RecordedTest]) throws {
        let telling = RecordedTest.Property.allCases.filter { property in
            [first, second].contains { tests in Set(tests.map { $0.properties[property] }).count > 1 }
        }
        let (a, b) = (Self.grouped(first, by: telling), Self.grouped(second, by: telling))
        let pairs = a.flatMap { a in b.filter { a.matches($0) }.map { (a, $0) } }
        lines = pairs.map { a, b in
            Line(
                name: a.label(with: b, telling), first: Statistics(a.rates), second: Statistics(b.rates),
                test: RankTest(a.rates, b.rates))
        }
        let alone = a.filter { a in !b.contains { a.matches($0) } } + b.filter { b in !a.contains { b.matches($0) } }
        unmatched = alone.map { $0.label(with: $0, telling) }
        guard !lines.isEmpty else {
            throw CommandError("the two files have no tests in common. Found: \(unmatched.joined(separator: "; "))")
        }
    }

    /// The tests in order of appearance, distinguished only by these properties.
    private static func grouped(
        _ tests: [RecordedTest], by properties: [RecordedTest.Property]
    ) -> [RecordedTest] {
        var groups: [RecordedTest] = []
        for test in tests {
            let kept = test.properties.filter { properties.contains($0.key) }
            if let index = groups.firstIndex(where: { $0.name == test.name && $0.properties == kept }) {
                groups[index].rates += test.rates
            } else {
                groups.append(RecordedTest(name: test.name, properties: kept, rates: test.rates))
            }
        }
        return groups
    }
}

extension RecordedTest {
    /// Whether both have the same name, and no property recorded in both differs.
    fileprivate func matches(_ other: RecordedTest) -> Bool {
        name == other.name && properties.allSatisfy { other.properties[$0.key] ?? $0.value == $0.value }
    }

    /// The name, and the properties of whichever has them.
    fileprivate func label(with other: RecordedTest, _ properties: [Property]) -> String {
        let values = properties.compactMap { self.properties[$0] ?? other.properties[$0] }
        return ([name] + values).joined(separator: ", ")
    }
}

extension Comparison {
    /// The comparison for people.
    func text(_ first: String, _ second: String) -> String {
        let width = max(16, lines.map(\.name.count).max() ?? 0)
        var table = TextTable([
            .left("test", width), .right("a t/s", 9), .right("b t/s", 9), .right("b / a", 6), .right("runs", 7),
            .right("p", 6), .left("b is", 15),
        ])
        for line in lines {
            table.add([
                line.name, String(format: "%.2f", line.first.median), String(format: "%.2f", line.second.median),
                String(format: "%.3f", line.ratio), "\(line.first.count) + \(line.second.count)",
                String(format: "%.3f", line.test.probability), line.verdict,
            ])
        }
        let missing = unmatched.isEmpty ? "" : "Only in one file: \(unmatched.joined(separator: "; "))\n"
        return "a: \(first)\nb: \(second)\n\n" + table.text + missing
    }
}
