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
            Warnings.print("\(event.message)")
        }
    }
}

extension Tokenizer {
    /// This tokenizer, after its warnings were printed.
    var afterWarnings: Tokenizer {
        for warning in warnings { Warnings.print("\(warning)") }
        return self
    }
}
