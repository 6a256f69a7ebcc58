package import LeapHub
import Synchronization

/// The progress of a download on standard error: a bar on a terminal, otherwise a line every few seconds.
package final class TransferLine: Sendable {
    private let label: String
    private let state = Mutex(State())

    private struct State {
        var shown: ContinuousClock.Instant?
        /// Columns of the line that is shown on the terminal; nil if there is none.
        var openColumns: Int?
        var isComplete = false
        /// Whether the line only announces the network request.
        var isLookup = false
    }

    /// A line for something with a name.
    package init(_ label: String) { self.label = label }

    /// Announces the network request on a terminal, until data arrive.
    package func begin() {
        guard Console.errorIsTerminal else { return }
        let text = String("looking up \(label)…".prefix(Console.columns - 1))
        Console.status(text)
        state.withLock { ($0.openColumns, $0.isLookup) = (text.count, true) }
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
            // The last column stays free: some terminals wrap the line as soon as it is written to.
            let columns = Console.columns
            let text = Self.text(label, progress, columns: columns - 1)
            Console.status(Self.cleared(state.openColumns ?? 0, columns: columns) + text)
            (state.openColumns, state.isLookup) = (text.count, false)
        }
    }

    /// Ends the line, whatever follows.
    package func finish() {
        state.withLock { state in
            if let shown = state.openColumns {
                Console.status(state.isLookup ? Self.cleared(shown, columns: Console.columns) : "\n")
            }
            state.openColumns = nil
        }
    }

    /// The output that clears a shown line: all its rows, if the terminal has become narrower since.
    private static func cleared(_ shown: Int, columns: Int) -> String {
        let above = max(0, shown - 1) / max(1, columns)
        return (above > 0 ? "\u{1B}[\(above)A" : "") + "\r\u{1B}[J"
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
        let tails = forms.map { $0.joined(separator: "  ") }
        if let tail = tails.first(where: { label.count + 2 + $0.count <= columns }) { return "\(label)  \(tail)" }
        let tail = tails.last ?? ""
        return "\(label.prefix(max(0, columns - tail.count - 3)))…  \(tail)"
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
