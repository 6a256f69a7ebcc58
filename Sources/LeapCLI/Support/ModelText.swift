import LeapToolSupport

/// Prints a model's text. On a terminal, control characters are escaped, because the terminal would execute them; files
/// and pipes get every byte unchanged.
enum ModelText {
    /// Writes to standard output.
    static func write(_ text: String) { Console.write(Console.outputIsTerminal ? text.harmless : text) }

    /// Writes to standard error.
    static func status(_ text: String) { Console.status(Console.errorIsTerminal ? text.harmless : text) }
}

extension String {
    /// The text with control characters in the editor's visible notation, except for line ends and tabs.
    var harmless: String {
        guard unicodeScalars.contains(where: \.isObeyed) else { return self }
        return unicodeScalars.map { scalar in
            let character = Character(scalar)
            return scalar.isObeyed ? character.notation ?? "" : String(character)
        }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether terminals execute it instead of showing it; line feeds and tabs do not count.
    fileprivate var isObeyed: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
