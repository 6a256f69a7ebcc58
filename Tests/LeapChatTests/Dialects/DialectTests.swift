import Foundation
import LeapChat
import LeapJSON
import OrderedCollections
import Testing
import _LeapTestSupport

@Suite("Dialects")
struct DialectTests {
    @Test("every dialect has cases, and every case file belongs to a dialect")
    func casesAreThere() {
        #expect(Set(DialectCase.all.map(\.dialect)) == Set(Dialect.all.map(\.name)))
        #expect(DialectCase.all.count > 60)
    }

    private static func events(_ pieces: [String], _ test: DialectCase) throws -> [AnswerReader.Event] {
        let dialect = try #require(Dialect(named: test.dialect))
        var reader = AnswerReader(dialect, functions: DialectCase.functions)
        let begun = reader.append(test.opening)
        return begun + pieces.flatMap { reader.append($0) } + reader.finish()
    }

    private static func events(ofBytes test: DialectCase) throws -> [AnswerReader.Event] {
        var reader = AnswerReader(try #require(Dialect(named: test.dialect)), functions: DialectCase.functions)
        let begun = reader.append(test.opening)
        return begun + test.text.utf8.flatMap { reader.append(utf8: [$0]) } + reader.finish()
    }

    @Test("an answer is read the same wherever it is split", arguments: DialectCase.all)
    func read(_ test: DialectCase) throws {
        let scalars = Array(test.text.unicodeScalars)
        #expect(try ReadAnswer(Self.events([test.text], test)) == test.answer)
        #expect(try ReadAnswer(Self.events(scalars.map { String($0) }, test)) == test.answer)
        #expect(try ReadAnswer(Self.events(ofBytes: test)) == test.answer)
        for cut in 0...scalars.count {
            let pieces = [scalars[..<cut], scalars[cut...]].map { String(String.UnicodeScalarView($0)) }
            let events = try Self.events(pieces, test)
            #expect(ReadAnswer(events) == test.answer, "cut at \(cut)")
        }
    }

    @Test("calls are reported in order: name, arguments as JSON, complete calls", arguments: DialectCase.all)
    func deltas(_ test: DialectCase) throws {
        try expectDeltas(Self.events(test.text.unicodeScalars.map { String($0) }, test), test)
        try expectDeltas(Self.events(ofBytes: test), test)
    }

    private func expectDeltas(_ events: [AnswerReader.Event], _ test: DialectCase) throws {
        var names: [String] = []
        var arguments: [String] = []
        var whole: [ToolCall] = []
        for event in events {
            switch event {
            case .callBegins(let index, _, let name):
                #expect(index == names.count)
                names.append(name)
                arguments.append("")
            case .callArguments(let index, let text):
                #expect(index == names.count - 1)
                arguments[index] += text
            case .calls(let calls): whole += calls
            default: break
            }
        }
        guard !test.answer.calls.isEmpty else { return #expect(whole.isEmpty) }
        #expect(names == whole.map(\.name))
        let parsed = try arguments.map { try JSONValue(parsing: $0) }
        #expect(parsed == whole.map { .object($0.arguments) })
    }

    @Test("reading a prefix of an answer gives a prefix of the result", arguments: DialectCase.all)
    func partial(_ test: DialectCase) throws {
        let dialect = try #require(Dialect(named: test.dialect))
        for length in 0...test.text.unicodeScalars.count {
            var reader = AnswerReader(dialect, functions: DialectCase.functions)
            var events = reader.append(test.opening)
            events += reader.append(String(String.UnicodeScalarView(test.text.unicodeScalars.prefix(length))))
            let soFar = ReadAnswer(events)
            #expect(test.answer.content.hasPrefix(soFar.content) && test.answer.reasoning.hasPrefix(soFar.reasoning))
            #expect(test.answer.calls.starts(with: soFar.calls))
        }
    }

    @Test("written calls read back the same", arguments: Dialect.all.map(\.name))
    func roundTrip(_ name: String) throws {
        let dialect = try #require(Dialect(named: name))
        let calls = [
            ToolCall(name: "weather", arguments: ["city": "Ålesund, \"west\"", "days": 3]),
            ToolCall(name: "plan", arguments: ["steps": ["a", "b"], "where": ["lat": 1.5]]), ToolCall(name: "now"),
        ]
        let text = dialect.markedText(of: calls)
        var reader = AnswerReader(dialect, functions: DialectCase.functions)
        let answer = ReadAnswer(reader.append(text) + reader.finish())
        #expect(answer.calls.map { ToolCall(name: $0.name, arguments: $0.arguments) } == calls, "\(text)")
        #expect(!answer.content.contains { !$0.isWhitespace }, "\(text)")
    }

    @Test(
        "random text gives the same events however it is split, and text without calls and thoughts is not lost",
        arguments: 0..<60 as Range<UInt64>)
    func fuzz(_ seed: UInt64) throws {
        var numbers = SeededRandomNumberGenerator(seed: seed)
        let dialect = Dialect.all[Int(seed) % Dialect.all.count]
        let own = dialect.markTexts + ["weather", "now", "\"name\": \"weather\"", "\"arguments\": {", "city"]
        let parts =
            own + ["{", "}", "[", "]", "\"", ",", ":", "\n", " ", "<", ">", "é", "1", "(", ")", "<think>", "</think>"]
        // All but the marks around thoughts, answers and messages, which are no text.
        let others = dialect.withoutCalls.markTexts + ["<think>", "</think>"]
        // Nor a bracket that may close an empty list, which is no call and no text.
        let words = parts.filter { !others.contains($0) && $0 != "]" } + dialect.callStarts
        for _ in 0..<20 {
            let pieces = (0..<40).compactMap { _ in parts.randomElement(using: &numbers) }
            let whole = try Self.joined([pieces.joined()], dialect)
            #expect(try Self.joined(pieces, dialect) == whole)
            #expect(try Self.joined(pieces.joined().unicodeScalars.map { String($0) }, dialect) == whole)
            let text = (0..<40).compactMap { _ in words.randomElement(using: &numbers) }.joined()
            if let read = try Self.text(of: Self.joined([text], dialect)) { #expect(read == text) }
        }
    }

    /// The text of events without calls and thoughts; `nil` if there are any.
    private static func text(of events: [AnswerReader.Event]) -> String? {
        var text = ""
        for event in events {
            switch event {
            case .text(let more): text += more
            case .unreadable: break
            default: return nil
            }
        }
        return text
    }

    /// Events in which adjacent ones of the same kind are joined.
    private static func joined(_ pieces: [String], _ dialect: Dialect) throws -> [AnswerReader.Event] {
        var reader = AnswerReader(dialect, functions: DialectCase.functions)
        return AnswerReader.joined(pieces.flatMap { reader.append($0) } + reader.finish())
    }

    // Reading a byte takes microseconds, so going back to the beginning at every byte would take far longer.
    @Test(
        "repetitive hostile text is read to its end in bounded time", .timeLimit(.minutes(1)),
        arguments: Dialect.all.map(\.name))
    func linear(_ name: String) throws {
        let dialect = try #require(Dialect(named: name))
        let start = dialect.callStarts.first ?? "{"
        let object = "{\"name\": \"weather\", \"arguments\": {\"a\": "
        for part in [start, start + object, object, start + "weather", "\"", "[", "{\"a\":", "<", "\n", start + "\""] {
            var reader = AnswerReader(dialect, functions: DialectCase.functions)
            let text = String(repeating: part, count: 20_000 / part.utf8.count)
            #expect(!(reader.append(text) + reader.finish()).isEmpty)
        }
    }
}

extension DialectTests {
    // Searching the section again at each end would take minutes.
    @Test("a section of raw text with many ends of values is read in bounded time", .timeLimit(.minutes(1)))
    func linearRawText() throws {
        var reader = AnswerReader(try #require(Dialect(named: "minicpm")), functions: DialectCase.functions)
        let ends = String(repeating: "</param>", count: 40_000)
        let text = "<function name=\"weather\"><param name=\"city\"><![CDATA[" + ends + "]]></param></function>"
        #expect(ReadAnswer(reader.append(text) + reader.finish()).calls.first?.arguments == ["city": .string(ends)])
    }
}

extension AnswerReader {
    /// Events in which adjacent ones of the same kind are joined.
    static func joined(_ events: [Event]) -> [Event] {
        var result: [Event] = []
        for event in events {
            switch (result.last, event) {
            case (.text(let before), .text(let text)): result[result.count - 1] = .text(before + text)
            case (.reasoning(let before), .reasoning(let text)): result[result.count - 1] = .reasoning(before + text)
            case (.callArguments(let index, let before), .callArguments(let other, let text)) where index == other:
                result[result.count - 1] = .callArguments(index: index, before + text)
            default: result.append(event)
            }
        }
        return result
    }
}
