import Testing
import _LeapTestSupport

@testable import leap

/// Decoding a terminal's bytes into keys.
@Suite struct KeyDecoderTests {
    static let cases: [(bytes: String, keys: [Key])] = [
        ("a", [.text("a")]), ("é", [.text("é")]), ("日本", [.text("日本")]), ("👍🏽", [.text("👍🏽")]), ("\t", [.text("\t")]),
        ("\r", [.enter]), ("\n", [.newline]), ("\u{1B}\r", [.newline]), ("\u{1B}[13;2u", [.newline]),
        ("\u{1B}[27;5;13~", [.newline]), ("\u{1B}OM", [.enter]), ("\u{7F}", [.backspace]), ("\u{8}", [.backspace]),
        ("\u{3}", [.interrupt]), ("\u{4}", [.endOfInput]), ("\u{1A}", [.suspend]), ("\u{C}", [.clearScreen]),
        ("\u{1B}[A", [.up]), ("\u{1B}OB", [.down]), ("\u{10}\u{E}", [.up, .down]), ("\u{2}\u{6}", [.left, .right]),
        ("\u{1B}[D\u{1B}OC", [.left, .right]), ("\u{1B}[H\u{1B}OF", [.home, .end]),
        ("\u{1B}[1~\u{1B}[8~", [.home, .end]),
        ("\u{1}\u{5}", [.home, .end]), ("\u{1B}[3~", [.delete]), ("\u{1B}[3;5~", [.killWordRight]),
        ("\u{1B}[1;5D", [.wordLeft]), ("\u{1B}[1;3C", [.wordRight]), ("\u{1B}[1;2C", [.right]),
        ("\u{1B}b\u{1B}f\u{1B}d\u{1B}\u{7F}", [.wordLeft, .wordRight, .killWordRight, .killWordLeft]),
        ("\u{B}\u{15}\u{17}\u{19}\u{14}", [.killToEnd, .killToStart, .killWord, .yank, .transpose]),
        ("\u{12}\u{7}", [.search, .escape]), ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}é", [.escape, .text("é")]),
        // Unknown sequences are skipped as a whole.
        ("\u{1B}xa", [.text("a")]), ("\u{1B}[99;99Xa", [.text("a")]), ("\u{1B}[[Aa", [.text("a")]),
        ("\u{1B}[?1;2ca", [.text("a")]), ("\u{1B}O5Qa", [.text("a")]), ("\u{1B}[15~a", [.text("a")]),
        ("\u{1B}[999999999999999999999Ca", [.right, .text("a")]),
        // A byte that cannot belong to a sequence is a key of its own.
        ("\u{1B}[\u{3}", [.interrupt]), ("\u{1B}[1;\u{1B}[A", [.up]), ("\u{1B}O\r", [.enter]),
        // Pastes.
        ("\u{1B}[200~a\r\u{1B}[Ab\u{3}\n\u{1B}[201~c", [.paste("a\r\u{1B}[Ab\u{3}\n"), .text("c")]),
        ("\u{1B}[200~\u{1B}[201~", [.paste("")]), ("\u{1B}[200~\u{1B}[20\u{1B}[201~\r", [.paste("\u{1B}[20"), .enter]),
    ]

    @Test("Bytes are decoded into keys, wherever they are split", arguments: cases)
    func split(bytes: String, keys: [Key]) {
        let bytes = Array(bytes.utf8)
        for split in 0...bytes.count {
            var decoder = KeyDecoder()
            let decoded = decoder.append(bytes[..<split]) + decoder.append(bytes[split...])
            #expect(joined(decoded) == keys, "split after \(split) bytes")
            #expect(!decoder.isEscaping && !decoder.isPasting)
        }
    }

    @Test("Random bytes give the same keys in pieces of any size", arguments: 0..<20)
    func random(seed: UInt64) {
        var generator = SeededRandomNumberGenerator(seed: seed)
        let interesting: [UInt8] = [
            0x1B, 0x1B, 0x5B, 0x4F, 0x7E, 0x33, 0x3B, 0x0D, 0x0A, 0xC3, 0xA9, 0xF0, 0x9F, 0x91, 0x8D,
        ]
        var bytes = (0..<400).map { _ in
            Bool.random(using: &generator)
                ? UInt8.random(in: 0...255, using: &generator) : interesting.randomElement(using: &generator) ?? 0
        }
        bytes.replace("3;".utf8, with: "\u{1B}[200~".utf8)
        var whole = KeyDecoder()
        let keys = joined(whole.append(bytes))
        for _ in 0..<20 {
            var decoder = KeyDecoder()
            var pieces: [Key] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...min(9, rest.count), using: &generator)
                pieces += decoder.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            #expect(joined(pieces) == keys)
            #expect(decoder.isEscaping == whole.isEscaping && decoder.isPasting == whole.isPasting)
        }
    }

    @Test("Invalid UTF-8 becomes the same replacement characters as in strings", arguments: 0..<20)
    func foreignBytes(seed: UInt64) {
        var generator = SeededRandomNumberGenerator(seed: seed)
        let bytes = (0..<200).map { _ in UInt8.random(in: 0x80...0xFF, using: &generator) }
        var decoder = KeyDecoder()
        let keys = bytes.flatMap { decoder.append([$0]) } + decoder.append([UInt8(ascii: "a")])
        #expect(joined(keys) == [.text(String(decoding: bytes, as: UTF8.self) + "a")])
    }

    @Test("A lone escape character is the Escape key")
    func loneEscape() {
        var decoder = KeyDecoder()
        #expect(decoder.append([0x1B]) == [])
        #expect(decoder.isEscaping)
        #expect(decoder.endEscape() == [.escape])
        #expect(!decoder.isEscaping)
        #expect(decoder.append([0x1B, 0x5B]) == [])  // Alt-[
        #expect(decoder.endEscape() == [])
        #expect(decoder.append([0x41]) == [.text("A")])
        #expect(decoder.append([0xC3]) == [])
        #expect(decoder.endEscape() == [])
        #expect(decoder.append([0xA9]) == [.text("é")])
    }

    /// The keys, with neighbouring texts as one.
    private func joined(_ keys: [Key]) -> [Key] {
        keys.reduce(into: []) { result, key in
            if case .text(let text) = key, case .text(let last)? = result.last {
                result[result.count - 1] = .text(last + text)
            } else {
                result.append(key)
            }
        }
    }
}
