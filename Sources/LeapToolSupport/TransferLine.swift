package import LeapHub
import Synchronization

/// The progress of a download on standard error: a bar on a terminal, otherwise a line every few seconds.
package final class TransferLine: Sendable {
    private let label: String
    private let state = Mutex(State())

    private struct State {
        var shown: ContinuousClock.Instant?
        var line = StatusLine()
        var isComplete = false
        /// Whether the line only announces the network request.
        var isLookup = false
    }

    /// A line for something with a name.
    package init(_ label: String) { self.label = label }

    /// Announces the network request on a terminal, until data arrive.
    package func begin() {
        guard Console.errorIsTerminal else { return }
        state.withLock { state in
            state.line.show("looking up \(label)…")
            state.isLookup = true
        }
    }

    /// Shows how much has arrived.
    package func update(_ progress: TransferProgress) {
        let now = ContinuousClock.now
        let isTerminal = Console.errorIsTerminal
        let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        state.withLock { state in
            // The end is always shown, but only once.
            if state.isComplete { return }
            let isComplete = progress.bytes == progress.total
            state.isComplete = isComplete
            if let shown = state.shown, now - shown < interval, !isComplete { return }
            // Unless on a terminal, a download that finishes immediately needs no line.
            if state.shown == nil, !isTerminal, !isComplete {
                state.shown = now
                return
            }
            state.shown = now
            guard isTerminal else { return Console.error(Self.text(label, progress)) }
            state.line.show(Self.text(label, progress, columns: StatusLine.room))
            state.isLookup = false
        }
    }

    /// Ends the line, whatever follows.
    package func finish() {
        state.withLock { state in
            if state.isLookup { state.line.clear() } else { state.line.end() }
        }
    }

    /// The line, shortened to the terminal's columns: first the bar shrinks and is dropped, then the rate, then the amount.
    static func text(_ label: String, _ progress: TransferProgress, columns: Int = .max) -> String {
        let rate = "\(ByteCount.text(progress.bytesPerSecond))/s"
        var amount = ByteCount.text(progress.bytes)
        var percent: [String] = []
        var bars: [[String]] = []
        if let total = progress.total {
            amount += "/\(ByteCount.text(total))"
            percent = ["\(Int(progress.fraction * 100))%"]
            bars = [20, 10].map { ["\(percent[0]) \(ProgressBar.bar(progress.fraction, width: $0))"] }
        }
        let left = progress.remaining.flatMap(duration).map { [$0] } ?? []
        var forms = bars.map { $0 + [amount, rate] + left }
        forms += [percent + [amount, rate] + left, percent + [amount] + left, percent + left]
        return StatusLine.fitted(label, gap: "  ", forms.map { $0.joined(separator: "  ") }, columns: columns)
    }

    /// As in "20s", "12m" and "3h5m"; nil for none.
    private static func duration(_ duration: Duration) -> String? {
        let seconds = duration.components.seconds
        switch seconds {
        case ..<0: return nil
        case 0: return duration > .zero ? "0s" : nil
        case ..<120: return "\(seconds)s"
        case ..<7200: return "\(seconds / 60)m"
        default: return "\(seconds / 3600)h\(seconds % 3600 / 60)m"
        }
    }
}

/// Human-readable byte counts.
package enum ByteCount {
    /// As in "1.2 GB".
    package static func text(_ bytes: Int64) -> String {
        for (unit, size) in [("GB", 1e9), ("MB", 1e6), ("KB", 1e3)] where Double(bytes) >= size {
            let tenths = Int((Double(bytes) / size * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) \(unit)"
        }
        return "\(bytes) B"
    }
}
