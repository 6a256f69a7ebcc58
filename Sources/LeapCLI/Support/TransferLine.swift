import LeapHub
import Synchronization

/// The progress of a download on standard error: a bar on a terminal, a line every few seconds elsewhere.
final class TransferLine: Sendable {
    private let label: String
    private let state = Mutex(State())

    private struct State {
        var shown: ContinuousClock.Instant?
        var isOpen = false
        var isComplete = false
    }

    init(_ label: String) { self.label = label }

    func update(_ progress: TransferProgress) {
        let now = ContinuousClock.now
        let isTerminal = Console.errorIsTerminal
        let interval: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        state.withLock { state in
            // The end is shown whenever it comes, and once.
            if state.isComplete { return }
            let isComplete = progress.bytes == progress.total
            state.isComplete = isComplete
            if let shown = state.shown, now - shown < interval, !isComplete { return }
            // Elsewhere than on a terminal, what is over at once needs no line.
            if state.shown == nil, !isTerminal, !isComplete {
                state.shown = now
                return
            }
            state.shown = now
            let text = text(progress)
            if isTerminal {
                Console.status("\r\u{1B}[K" + text)
                state.isOpen = true
            } else {
                Console.error(text)
            }
        }
    }

    /// Ends the line, whatever follows.
    func finish() {
        state.withLock { state in
            if state.isOpen { Console.status("\n") }
            state.isOpen = false
        }
    }

    private func text(_ progress: TransferProgress) -> String {
        var parts = [label]
        if let total = progress.total {
            parts.append("\(Int(progress.fraction * 100))% \(ProgressBar.bar(progress.fraction))")
            parts.append("\(ByteCount.text(progress.bytes))/\(ByteCount.text(total))")
        } else {
            parts.append(ByteCount.text(progress.bytes))
        }
        parts.append("\(ByteCount.text(progress.bytesPerSecond))/s")
        if let remaining = progress.remaining, remaining > .zero {
            parts.append("\(remaining.components.seconds)s")
        }
        return parts.joined(separator: "  ")
    }
}

/// Numbers of bytes for people.
enum ByteCount {
    /// As in "1.2 GB".
    static func text(_ bytes: Int64) -> String {
        for (unit, size) in [("GB", 1e9), ("MB", 1e6), ("KB", 1e3)] where Double(bytes) >= size {
            let tenths = Int((Double(bytes) / size * 10).rounded())
            return "\(tenths / 10).\(tenths % 10) \(unit)"
        }
        return "\(bytes) B"
    }
}
