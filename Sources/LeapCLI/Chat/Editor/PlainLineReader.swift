import LeapToolSupport

/// Reads plain lines from the system: from files, pipes, and terminals without escape sequences.
final class PlainLineReader: LineReader {
    let canEdit = false

    private let interrupts: Interrupts

    init(_ interrupts: Interrupts) { self.interrupts = interrupts }

    func read(prompt: String, editing text: String, ending: (String) -> LineEnding) -> LineInput {
        guard var text = line(prompt) else { return .end }
        while true {
            switch ending(text) {
            case .complete: return .line(text)
            case .open: break
            case .escaped: text.removeLast()
            }
            guard let more = line(TextLayout.continuation) else { return .line(text) }
            text += "\n" + more
        }
    }

    private func line(_ prompt: String) -> String? {
        guard Console.errorIsTerminal else { return readLine() }
        return interrupts.prompting(prompt) { readLine() }
    }
}
