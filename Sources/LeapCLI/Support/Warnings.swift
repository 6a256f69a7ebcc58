import LeapJSON
import LeapTokenizer
import LeapToolSupport
import Logging

/// Warnings about conditions that are not errors: a line on standard error.
enum Warnings {
    /// Redirects the libraries' warnings to standard error, for the whole process. Their other log messages are
    /// dropped.
    static func takeFromLibraries() {
        LoggingSystem.bootstrap { _ in Handler() }
    }

    /// Prints a warning.
    static func print(_ text: String) { Console.error("warning: \(text)") }

    private struct Handler: LogHandler {
        var logLevel = Logger.Level.warning
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = metadata.merging(event.metadata ?? [:]) { $1 }.mapValues { "\($0)" }
            Console.error(Warnings.line(event.level.rawValue, "\(event.message)", fields))
        }
    }

    /// A log message as a line: the level, the message, and `key=value` for each field.
    static func line(_ level: String, _ message: String, _ fields: [String: String]) -> String {
        let fields = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\(quoted($0.value))" }
        return "\(level): \(message)\(fields.joined())"
    }

    /// A value, unchanged if it is a single word, otherwise as JSON, so that it stays on its line.
    private static func quoted(_ value: String) -> String {
        let isWord = !value.isEmpty && !value.contains { $0.isWhitespace || $0 < " " || "\"=\\\u{7F}".contains($0) }
        return isWord ? value : JSONValue.string(value).text()
    }
}

extension Tokenizer {
    /// This tokenizer, after its warnings were printed.
    var afterWarnings: Tokenizer {
        for warning in warnings { Warnings.print("\(warning)") }
        return self
    }
}
