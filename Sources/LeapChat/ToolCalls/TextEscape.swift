import LeapTemplate

/// Keeps marks and control tokens out of strings that a program writes for a model.
enum TextEscape {
    /// Replaces the first byte of every mark, and of everything that may be a control token (`<|…|>`), by its escape.
    /// In text that is code, marks can only stand inside strings, where the escape means the same.
    ///
    /// - Parameter escape: The prefix of the two hexadecimal digits of a byte.
    static func avoiding(_ marks: [String], in text: String, escape: String) -> String {
        (["<|"] + marks).reduce(text) { text, mark in
            guard let first = mark.utf8.first else { return text }
            return text.replacing(mark, with: escape + String(first, radix: 16) + mark.dropFirst(), limit: .max)
        }
    }
}
