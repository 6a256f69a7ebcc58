/// How a text becomes a message: over how many lines it goes, and what of it is sent.
///
/// Three quotation marks open a block whose lines are kept as they are, until a line ends with three more. Elsewhere a line
/// that ends with `\` goes on with the next.
enum MessageSyntax {
    private static let quotes = "\"\"\""

    /// What the end of a line means in a text.
    static func ending(of text: String) -> LineEnding {
        if let block = block(in: text) {
            let lines = block.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            return lines.contains { closes($0) } ? .complete : .open
        }
        return text.hasSuffix("\\") ? .escaped : .complete
    }

    /// The message to send for a text: the content of its block. A text without a block, or with more after it, is
    /// sent as it is.
    static func message(_ text: String) -> String {
        guard let block = block(in: text), closes(block) else { return text }
        let start = text[..<block.startIndex].dropLast(quotes.count)
        var content = trimmingEnd(block).dropLast(quotes.count)
        if content.first?.isNewline == true { content = content.dropFirst() }
        if content.last?.isNewline == true { content = content.dropLast() }
        return String(start + content)
    }

    /// What follows the quotation marks that a text, or the argument of a command, begins with.
    private static func block(in text: String) -> Substring? {
        var rest = text.drop(while: \.isWhitespace)
        if ChatCommand.name(in: text) != nil {
            rest = rest.drop { !$0.isWhitespace }.drop(while: \.isWhitespace)
        }
        return rest.hasPrefix(quotes) ? rest.dropFirst(quotes.count) : nil
    }

    private static func closes(_ text: Substring) -> Bool { trimmingEnd(text).hasSuffix(quotes) }

    private static func trimmingEnd(_ text: Substring) -> Substring {
        var text = text
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return text
    }
}
