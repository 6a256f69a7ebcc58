import Foundation

/// Progress on standard error: a bar on a terminal, a line every few seconds otherwise.
package struct ProgressBar {
    private let label: String
    private let total: Int
    private let start = ContinuousClock.now
    private var lastShown: ContinuousClock.Instant?
    private var shown = StatusLine()

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
        guard Console.errorIsTerminal else { return Console.error(line(done, note: note, elapsed: now - start)) }
        shown.show(line(done, note: note, elapsed: now - start, columns: StatusLine.room))
        if done >= total { shown.end() }
    }

    /// The line, shortened to the terminal's columns: first the bar shrinks and is dropped, then the note, then the counts.
    func line(_ done: Int, note: String, elapsed: Duration, columns: Int = .max) -> String {
        let fraction = min(1, Double(done) / Double(total))
        let percent = String(format: "%3d%%", Int(fraction * 100))
        let left = fraction > 0 && fraction < 1 ? " \(Int(elapsed / .seconds(1) / fraction * (1 - fraction)))s" : ""
        let counts = "\(done)/\(total)"
        let bars = [Self.width, 10].map { "\(percent) \(Self.bar(fraction, width: $0)) \(counts)  \(note)\(left)" }
        let others = ["\(percent) \(counts)  \(note)\(left)", "\(percent) \(counts)\(left)", "\(percent)\(left)"]
        return StatusLine.fitted(label, gap: " ", bars + others, columns: columns)
    }

    /// As in `▕██▌  ▏`, with `width` cells between its ends.
    static func bar(_ fraction: Double, width: Int = width) -> String {
        let cells = Int(fraction * Double(width * 8))
        let full = String(repeating: "█", count: cells / 8)
        let part = cells / 8 < width ? String(eighths[cells % 8]) : ""
        return "▕" + (full + part).padding(toLength: width, withPad: " ", startingAt: 0) + "▏"
    }
}
