import Foundation

/// The process's standard streams: results go to standard output, all else to standard error.
enum Console {
    /// Writes text as it is, or leaves where that is impossible, as on a full disk.
    static func write(_ text: String) {
        do { try FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) } catch {
            note("error: standard output cannot be written: \(error.localizedDescription)")
            exit(EXIT_FAILURE)
        }
    }

    /// Writes a line to standard error.
    static func note(_ text: String) {
        // Where standard error is broken, there is nobody to tell.
        try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
    }
}
