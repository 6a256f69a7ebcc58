/// The syntax of messages: how many lines a message spans, and which part of it is sent.
///
/// Three quotation marks open a block whose lines are kept verbatim, until a line ends with three more. Otherwise, a
/// line that ends with `\` continues on the next.
enum MessageSyntax {
    private static let quotes = "\"\"\""

    /// The meaning of a line's end in a text.
    static func ending(of text: String) -> LineEnding {
        if let block = block(in: text) {
            let lines = block.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            return lines.contains { closes($0) } ? .complete : .open
        }
        return text.hasSuffix("\\") ? .escaped : .complete
    }

    /// The message to send for a text: the contents of its block. A text without a block, or with more text after it,
    /// is sent unchanged.
    static func message(_ text: String) -> String {
        guard let block = block(in: text), closes(block) else { return text }
        let start = text[..<block.startIndex].dropLast(quotes.count)
        var content = trimmingEnd(block).dropLast(quotes.count)
        if content.first?.isNewline == true { content = content.dropFirst() }
        if content.last?.isNewline == true { content = content.dropLast() }
        return String(start + content)
    }

    /// What follows the opening quotation marks of a text, or of a command's argument.
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
