import Foundation

/// Writes text immediately; `print` would wait for the end of the line.
func show(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}

/// Dimmed text, on terminals.
func faint(_ text: String) -> String {
    isatty(STDOUT_FILENO) == 1 ? "\u{1B}[2m\(text)\u{1B}[0m" : text
}
