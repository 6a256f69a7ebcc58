import LeapJSON
import LeapTokenizer
import LeapToolSupport
import Logging

/// What a person should know although everything works: a line on standard error.
enum Warnings {
    /// Takes the warnings of the libraries to standard error, for the whole process. What else they log is not shown.
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

    /// What libraries log as a line: how bad it is, the message, and `key=value` for what is known besides.
    static func line(_ level: String, _ message: String, _ fields: [String: String]) -> String {
        let fields = fields.sorted { $0.key < $1.key }.map { " \($0.key)=\(quoted($0.value))" }
        return "\(level): \(message)\(fields.joined())"
    }

    /// A value as it is where it is one word, and otherwise as JSON writes it, so that it stays on its line.
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
