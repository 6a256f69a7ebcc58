import Foundation

/// Progress on standard error: a bar on a terminal, a line every few seconds otherwise.
package struct ProgressBar {
    private let label: String
    private let total: Int
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?

    private static let width = 20
    private static let eighths: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// A bar with a total number of steps.
    package init(_ label: String, total: Int) {
        self.label = label
        self.total = max(total, 1)
    }

    /// Shows that `done` of the total are done, unless the last update was a moment ago.
    package mutating func update(_ done: Int, note: String) {
        let now = ContinuousClock.now
        let interval: Duration = Console.errorIsTerminal ? .milliseconds(100) : .seconds(5)
        if done < total, let lastShown, now - lastShown < interval { return }
        lastShown = now
        let text = line(done, note: note, elapsed: now - start)
        if Console.errorIsTerminal {
            Console.status("\r\u{1B}[K" + text + (done >= total ? "\n" : ""))
        } else {
            Console.error(text)
        }
    }

    private func line(_ done: Int, note: String, elapsed: Duration) -> String {
        let fraction = min(1, Double(done) / Double(total))
        let percent = String(format: "%3d%%", Int(fraction * 100))
        let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) * 1e-18
        let left = fraction > 0 && fraction < 1 ? " \(Int(seconds / fraction * (1 - fraction)))s" : ""
        return "\(label) \(percent) \(Self.bar(fraction)) \(done)/\(total)  \(note)\(left)"
    }

    /// As in `▕██▌  ▏`, with `width` cells between its ends.
    static func bar(_ fraction: Double, width: Int = width) -> String {
        let cells = Int(fraction * Double(width * 8))
        let full = String(repeating: "█", count: cells / 8)
        let part = cells / 8 < width ? String(eighths[cells % 8]) : ""
        return "▕" + (full + part).padding(toLength: width, withPad: " ", startingAt: 0) + "▏"
    }
}
