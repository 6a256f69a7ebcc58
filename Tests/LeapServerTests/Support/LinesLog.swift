import Logging
import Synchronization

/// Keeps what is logged: messages, each with its metadata.
final class LinesLog: LogHandler {
    private let state = Mutex<[String]>([])

    /// What was logged.
    var lines: [String] { state.withLock(\.self) }

    var logLevel: Logger.Level {
        get { .warning }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        state.withLock { $0.append("\(event.message)" + fields.joined()) }
    }
}
