import Foundation

/// The process's standard streams: results go to standard output, all else to standard error.
enum Console {
    /// Writes text as it is.
    static func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    /// Writes a line to standard error.
    static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
