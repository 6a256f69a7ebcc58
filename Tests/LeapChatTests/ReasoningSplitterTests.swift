import LeapChat
import Testing

@Suite struct ReasoningSplitterTests {
    /// Text and reasoning of a stream that arrives in the given pieces, neighbours of one kind joined.
    private func split(_ pieces: [String], startsInReasoning: Bool = false) -> [ReasoningSplitter.Piece] {
        var splitter = ReasoningSplitter(startsInReasoning: startsInReasoning)
        var result: [ReasoningSplitter.Piece] = []
        for piece in pieces.flatMap({ splitter.append($0) }) + splitter.finish() {
            switch (result.last, piece) {
            case (.text(let before), .text(let text)): result[result.count - 1] = .text(before + text)
            case (.reasoning(let before), .reasoning(let text)): result[result.count - 1] = .reasoning(before + text)
            default: result.append(piece)
            }
        }
        return result
    }

    static let streams: [(text: String, startsInReasoning: Bool, expected: [ReasoningSplitter.Piece])] = [
        ("plain", false, [.text("plain")]),
        ("<think>a\nb</think>\n\nc", false, [.reasoning("a\nb"), .text("\n\nc")]),
        (
            "x <think>a</think> y <think>b</think>z", false,
            [.text("x "), .reasoning("a"), .text(" y "), .reasoning("b"), .text("z")]
        ),
        ("a</think>b", true, [.reasoning("a"), .text("b")]),
        ("a</think>b", false, [.text("a</think>b")]),
        ("<think>open", false, [.reasoning("open")]),
        ("a < b <thin <<think>c</thin</think>d", false, [.text("a < b <thin <"), .reasoning("c</thin"), .text("d")]),
        ("<think></think>", false, []),
        ("é你😀<think>é你😀</think>é", false, [.text("é你😀"), .reasoning("é你😀"), .text("é")]),
        ("ends with <think", false, [.text("ends with <think")]),
        ("", false, []),
    ]

    @Test("Every way of cutting a stream gives the same pieces", arguments: streams)
    func cuts(_ text: String, _ startsInReasoning: Bool, _ expected: [ReasoningSplitter.Piece]) {
        let scalars = Array(text.unicodeScalars)
        func string(_ range: Range<Int>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return String(view)
        }
        #expect(split([text], startsInReasoning: startsInReasoning) == expected)
        #expect(split(scalars.map { String($0) }, startsInReasoning: startsInReasoning) == expected)
        for first in 0...scalars.count {
            for second in first...scalars.count {
                let pieces = [string(0..<first), string(first..<second), string(second..<scalars.count)]
                #expect(split(pieces, startsInReasoning: startsInReasoning) == expected)
            }
        }
    }

    @Test("Only what may begin a mark is held back") func holdsBackLittle() {
        var splitter = ReasoningSplitter()
        #expect(splitter.append("abc") == [.text("abc")])
        #expect(splitter.append("x<th") == [.text("x")])
        #expect(splitter.append("e") == [.text("<the")])
        #expect(splitter.append("<think>r") == [.reasoning("r")])
        #expect(splitter.append("<think>") == [.reasoning("<think>")])
        #expect(splitter.finish() == [])
    }

    @Test("Marks can be chosen") func otherMarks() {
        var splitter = ReasoningSplitter(opening: "[R]", closing: "[/R]")
        #expect(splitter.append("[R]a[/R]b") == [.reasoning("a"), .text("b")])
    }
}
