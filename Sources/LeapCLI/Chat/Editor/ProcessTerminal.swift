import Dispatch
import Foundation
import LeapToolSupport

/// The controlling terminal of this process: keys from standard input, output to standard error.
final class ProcessTerminal: KeyTerminal {
    private let mode = RawMode.standardInput
    private let signals = SignalPipe([SIGWINCH, SIGCONT])
    private let endings: [any DispatchSourceSignal]
    private static let endingSignals = [SIGTERM, SIGHUP]

    /// Whether the terminal supports escape sequences, as all do except those of type `dumb`.
    static var understandsSequences: Bool {
        let kind = ProcessInfo.processInfo.environment["TERM", default: ""]
        return !["", "dumb", "emacs"].contains(kind)
    }

    /// The longest time in which the system stops and continues the process.
    private static let suspensionTimeout = Duration.milliseconds(100)

    init() {
        endings = Self.endingSignals.map { number in
            // The exit code that shells use for a signal; `exit` restores the terminal.
            SignalSource.start(number) { exit(128 + number) }
        }
    }

    deinit {
        mode.end()
        endings.forEach { $0.cancel() }
        Self.endingSignals.forEach { signal($0, SIG_DFL) }
    }

    var size: TerminalSize {
        var size = winsize()
        let isKnown = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0
        return TerminalSize(
            columns: isKnown && size.ws_col > 0 ? Int(size.ws_col) : 80,
            rows: isKnown && size.ws_row > 0 ? Int(size.ws_row) : 24)
    }

    func enter() -> Bool {
        _ = signals.take()  // from before, when nothing was drawn
        return mode.enter()
    }

    func leave() { mode.leave() }

    func suspend() {
        mode.end()
        kill(0, SIGTSTP)
        _ = Poll.readable([signals.descriptor], within: Self.suspensionTimeout)
        _ = signals.take()
        _ = mode.enter()
    }

    func read(within timeout: Duration?) -> TerminalInput {
        guard let ready = Poll.readable([STDIN_FILENO, signals.descriptor], within: timeout) else { return .end }
        if ready[1] { return answer(to: signals.take()) }
        return ready[0] ? readBytes() : .timeout
    }

    func write(_ text: String) { Console.status(text) }

    private func answer(to signals: Set<Int32>) -> TerminalInput {
        guard signals.contains(SIGCONT) else { return .resized }
        _ = mode.enter()  // another process may have left the terminal in another mode
        return .continued
    }

    private func readBytes() -> TerminalInput {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(STDIN_FILENO, &bytes, bytes.count)
        if count < 0 && (errno == EINTR || errno == EAGAIN) { return .timeout }
        return count > 0 ? .bytes(Array(bytes.prefix(count))) : .end
    }
}
