import Foundation
import LeapToolSupport

/// Reads lines from a person: with editing and a history on a terminal, plainly otherwise.
struct LineEditor {
    /// What came of one line.
    enum Input: Equatable {
        case line(String)
        /// Ctrl-C on the line.
        case interrupted
        /// Ctrl-D on an empty line, or the end of the input.
        case end
    }

    private var buffer = LineBuffer()

    /// Shows the prompt and reads a line.
    mutating func read(prompt: String) -> Input {
        guard Console.inputIsTerminal, let raw = RawMode() else { return readPlainly(prompt: prompt) }
        defer { raw.leave() }
        var decoder = KeyDecoder()
        draw(prompt)
        while let byte = raw.readByte() {
            guard let key = decoder.append(byte) else { continue }
            switch key {
            case .enter:
                Console.status("\r\n")
                return .line(buffer.finish())
            case .interrupt:
                Console.status("\r\n")
                buffer.apply(.end)
                buffer.apply(.killToStart)
                return .interrupted
            case .endOfInput where buffer.characters.isEmpty:
                Console.status("\r\n")
                return .end
            case .clearScreen:
                Console.status("\u{1B}[H\u{1B}[2J")
            default:
                buffer.apply(key)
            }
            draw(prompt)
        }
        return .end
    }

    private func readPlainly(prompt: String) -> Input {
        if Console.errorIsTerminal { Console.status(prompt) }
        return readLine().map(Input.line) ?? .end
    }

    /// Draws the part of the line that fits into the terminal, with the cursor in view.
    private func draw(_ prompt: String) {
        let room = max(8, Console.columns - prompt.count - 1)
        var start = 0
        while width(buffer.characters[start..<buffer.cursor]) > room { start += 1 }
        var end = buffer.cursor
        while end < buffer.characters.count, width(buffer.characters[start...end]) <= room { end += 1 }
        let back = width(buffer.characters[buffer.cursor..<end])
        Console.status(
            "\r\u{1B}[K" + prompt + String(buffer.characters[start..<end]) + (back > 0 ? "\u{1B}[\(back)D" : ""))
    }

    /// Columns that characters take: two for East Asian wide ones and emoji.
    private func width(_ characters: ArraySlice<Character>) -> Int {
        characters.reduce(0) { $0 + ($1.isWide ? 2 : 1) }
    }
}

extension Character {
    /// Whether a terminal shows the character two columns wide. Source: Unicode Standard Annex 11, ranges W and F.
    fileprivate var isWide: Bool {
        guard let scalar = unicodeScalars.first else { return false }
        return switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: scalar.properties.isEmojiPresentation
        }
    }
}
