import Foundation
import LeapGeneration
import LeapJSON
import OrderedCollections

extension Divergence {
    /// The statistics in llama.cpp's terms.
    var text: String {
        statistics.map { section in
            (["====== \(section.title) ======"] + section.lines.map(\.text)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// All values by name; means with their uncertainty.
    var json: JSONValue {
        var members: [(String, JSONValue)] = [("scoredTokens", .integer(count))]
        for line in statistics.flatMap(\.lines) {
            members.append((line.name, .number(line.estimate.value)))
            if line.isMean { members.append((line.name + " ±", .number(line.estimate.uncertainty))) }
        }
        return .object(.init(members) { first, _ in first })
    }
}

extension Divergence.Line {
    fileprivate var text: String {
        let label = name.padding(toLength: max(30, name.count), withPad: " ", startingAt: 0)
        let (value, error) = (estimate.value, estimate.uncertainty)
        if isShare {
            let share = String(format: "%7.3f", 100 * value)
            return "\(label): \(share)\(isMean ? String(format: " ± %5.3f", 100 * error) : "") %"
        }
        return "\(label): " + String(format: "%10.6f", value) + (isMean ? String(format: " ± %10.6f", error) : "")
    }
}
