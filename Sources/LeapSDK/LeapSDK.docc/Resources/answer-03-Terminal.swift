import Foundation

/// Writes text immediately; `print` would wait for the end of the line.
func show(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
}
