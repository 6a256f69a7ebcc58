import LeapToolSupport

/// Prints a model's text. On a terminal control characters are escaped, because the terminal would execute them; files and
/// pipes get every byte unchanged.
enum ModelText {
    /// Writes to standard output.
    static func write(_ text: String) { Console.write(Console.outputIsTerminal ? text.harmless : text) }

    /// Writes to standard error.
    static func status(_ text: String) { Console.status(Console.errorIsTerminal ? text.harmless : text) }
}

extension String {
    /// The text with control characters written out as the editor shows them, but for line ends and tabs.
    var harmless: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        return unicodeScalars.map { scalar in
            let character = Character(scalar)
            return scalar.isObeyed ? character.notation ?? "" : String(character)
        }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether terminals do something instead of showing it, other than to go on to a line or a tab stop.
    fileprivate var isObeyed: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
