import Foundation

/// Writes text at once; `print` would wait for the end of the line.
func show(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}

/// Text that stands back, where a terminal shows it.
func faint(_ text: String) -> String {
    isatty(STDOUT_FILENO) == 1 ? "\u{1B}[2m\(text)\u{1B}[0m" : text
}
