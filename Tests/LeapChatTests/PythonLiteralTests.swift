import Foundation
import LeapChat
import LeapJSON
import OrderedCollections
import Testing

/// A Python literal and the result of `ast.literal_eval` for it; `scripts/update-literal-cases` writes them.
struct LiteralCase: Sendable, CustomTestStringConvertible {
    let literal: String
    /// Nil if Python raises an exception, or JSON cannot express the value.
    let value: JSONValue?

    var testDescription: String { literal }

    static let all: [LiteralCase] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Data/PythonLiterals.json")
        let cases = (try? JSONValue(parsing: Data(contentsOf: file)))?.array ?? []
        return cases.compactMap { json in
            json["literal"]?.string.map { LiteralCase(literal: $0, value: json["value"]) }
        }
    }()
}

@Suite("Python literals")
struct PythonLiteralTests {
    @Test("The cases are found")
    func casesAreThere() {
        #expect(LiteralCase.all.count > 400)
    }

    @Test("An argument has the same value as in Python", arguments: LiteralCase.all)
    func agreesWithPython(_ test: LiteralCase) throws {
        let result = Result { try ToolCallFormat.lfm.calls(in: "[f(x=\(test.literal)\n)]") }
        guard let value = test.value else {
            #expect(throws: ToolCallError.self) { try result.get() }
            return
        }
        // Compared as text, because Swift's equality ignores differences in Unicode composition.
        let text = try result.get().first?.arguments["x"]?.text(JSONFormat(escapesNonASCII: true))
        #expect(text == value.text(JSONFormat(escapesNonASCII: true)))
    }

    @Test(
        "More literals are accepted than in Python",
        arguments: [
            ("true", JSONValue.bool(true)), ("false", .bool(false)), ("null", .null), ("Paris", "Paris"),
            ("münchen.mitte", "münchen.mitte"), ("'two\nlines'", "two\nlines"),
            ("{city: Paris}", ["city": "Paris"] as JSONValue),
            ("1e400", .exactNumber("1e400")), ("-1_0.5E-400", .exactNumber("-10.5e-400")),
            ("18446744073709551615", .largeInteger("18446744073709551615")), ("'\\ud83d'", "\u{FFFD}"),
            ("'\\ude00\\ud83dx'", "\u{FFFD}\u{FFFD}x"),
            ("'Land's End'", "Land's End"), ("'it's, or isn't'", "it's, or isn't"),
            (#"'he said "no" and 'yes' twice'"#, #"he said "no" and 'yes' twice"#),
            (#"["3" of 5", 'o'clock']"#, [#"3" of 5"#, "o'clock"] as JSONValue),
            ("{'it's': 'that's'}", ["it's": "that's"] as JSONValue),
            ("'he said 'yes''", "he said 'yes'"), ("['a', '', '']", ["a", "", ""] as JSONValue), ("'a''b'", "ab"),
        ])
    func lenient(_ literal: String, _ value: JSONValue) throws {
        let calls = try ToolCallFormat.lfm.calls(in: "[f(x=\(literal))]")
        #expect(calls == [ToolCall(name: "f", arguments: ["x": value])])
    }

    @Test("A missing comma after a string is an error", arguments: ["y='b'", "  y = 'b'"])
    func missingComma(_ next: String) {
        #expect(throws: ToolCallError.self) { try ToolCallFormat.lfm.calls(in: "[f(x='a'\(next))]") }
    }
}
