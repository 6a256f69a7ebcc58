import Logging
import Synchronization

/// A log handler that records messages with their metadata.
final class LinesLog: LogHandler {
    private let state = Mutex<[String]>([])

    /// The recorded lines.
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
