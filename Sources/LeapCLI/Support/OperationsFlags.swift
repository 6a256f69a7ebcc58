#if Server
import ArgumentParser
import Foundation
import LeapServer
import LeapToolSupport

/// Flags for operators of a server: access log, metrics, and separate prefix caches for clients.
struct OperationsFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An access log with one line of JSON per request, without its content; - is standard error.",
            valueName: "file"), completion: .file())
    private var accessLog: String?

    @Option(
        help: ArgumentHelp(
            "Also report /metrics under another server's names: llama-server or vllm.",
            valueName: "server"), transform: Self.names)
    private var metricsCompat: [MetricsNames] = []

    @Flag(
        help: "Use a separate prompt cache per client, so response times reveal nothing about other clients' prompts.")
    private var isolateCache = false

    private static func names(_ word: String) throws -> MetricsNames {
        guard let names = MetricsNames(rawValue: word) else {
            let words = MetricsNames.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("Unknown metrics names '\(word)', expected one of \(words).")
        }
        return names
    }

    /// Applies the flags to a configuration.
    ///
    /// - Throws: If the log cannot be written.
    func apply(to configuration: inout ServerConfiguration) throws {
        configuration.metricsNames = metricsCompat
        configuration.isolatesCaches = isolateCache
        guard let accessLog else { return }
        guard accessLog != "-" else {
            configuration.accessLog = { Console.error($0) }
            return
        }
        // Each line is appended by a single write, so that log rotation may copy and truncate the file.
        let file = open(accessLog, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o640)
        guard file >= 0 else {
            throw CommandError("the access log '\(accessLog)' cannot be written: \(SystemFailure())")
        }
        // If the disk is full, answers are more important than log lines.
        configuration.accessLog = { try? Descriptor.write(Data("\($0)\n".utf8), to: file) }
    }
}
#endif
