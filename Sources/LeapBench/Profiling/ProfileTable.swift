import Foundation

/// A profile as tables for people, at most 80 characters wide.
struct ProfileTable {
    let test: String
    let profile: Profile

    var text: String {
        let share = String(format: "%.1f", profile.explained * 100)
        let time = String(format: "%.3f", profile.seconds)
        return "\n\(test): \(profile.passes) \(profile.passes == 1 ? "pass" : "passes"), \(time) s, "
            + "\(share) % accounted for by its operations\n\n" + operations.text + "\n" + threads.text
    }

    private var operations: TextTable {
        var table = TextTable([
            .right("share", 6), .right("ms/pass", 8), .left("operation", 18), .left("weights", 19), .right("GB/s", 6),
            .right("GMAC/s", 6), .right("waits", 5),
        ])
        for line in profile.lines {
            table.add([
                share(line.seconds), milliseconds(line.seconds), line.name, line.weights,
                rate(line.readRate), rate(line.multiplyAddRate), percent(line.waitSeconds, of: line.seconds),
            ])
        }
        let rest = max(0, profile.seconds * (1 - profile.explained))
        table.add([share(rest), milliseconds(rest), "between operations", "", "", "", ""])
        return table
    }

    private var threads: TextTable {
        var table = TextTable([
            .right("thread", 7), .right("busy", 9), .right("waits", 7), .right("outside parallel work", 21),
        ])
        for (index, thread) in profile.threads.enumerated() {
            table.add([
                "\(index)", percent(thread.busy, of: profile.seconds), percent(thread.waits, of: profile.seconds),
                percent(thread.alone, of: profile.seconds),
            ])
        }
        return table
    }

    private func share(_ seconds: Double) -> String {
        String(format: "%.1f %%", profile.seconds > 0 ? seconds / profile.seconds * 100 : 0)
    }

    private func milliseconds(_ seconds: Double) -> String {
        String(format: "%.3f", seconds * 1e3 / Double(max(profile.passes, 1)))
    }

    private func percent(_ part: Double, of whole: Double) -> String {
        String(format: "%.0f %%", whole > 0 ? part / whole * 100 : 0)
    }

    /// Billions per second; empty for operations without such work.
    private func rate(_ perSecond: Double) -> String {
        perSecond > 0 ? String(format: "%.1f", perSecond / 1e9) : ""
    }
}
