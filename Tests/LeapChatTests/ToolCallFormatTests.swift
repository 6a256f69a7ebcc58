import Foundation
import LeapChat
import LeapJSON
import OrderedCollections
import Testing
import _LeapTestSupport

/// A block in a format and the calls in it, or the error. Each file in `Data/ToolCalls` holds those of one format; its
/// name is the format's.
struct BlockCase: Sendable, CustomTestStringConvertible {
    let format: String
    let block: String
    let calls: [JSONValue]?
    let error: String?

    var testDescription: String { "\(format): \(block)" }

    static let all: [BlockCase] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Data/ToolCalls")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).sorted { $0.path < $1.path }.flatMap { file in
            let cases = (try? JSONValue(parsing: Data(contentsOf: file)))?.array ?? []
            return cases.compactMap { BlockCase(format: file.deletingPathExtension().lastPathComponent, $0) }
        }
    }()

    private init?(format: String, _ json: JSONValue) {
        guard let block = json["block"]?.string else { return nil }
        self.format = format
        self.block = block
        calls = json["calls"]?.array
        error = json["error"]?.string
    }
}

@Suite("Tool-call formats")
struct ToolCallFormatTests {
    @Test("Every format has cases, and every case file belongs to a format")
    func casesAreThere() {
        #expect(Set(BlockCase.all.map(\.format)) == Set(ToolCallFormat.all.map(\.name)))
        #expect(BlockCase.all.count > 60)
    }

    @Test("A block gives its calls or an error with its position", arguments: BlockCase.all)
    func read(_ test: BlockCase) throws {
        let format = try #require(ToolCallFormat(named: test.format))
        let result = Result { try format.calls(in: test.block) }
        if let expected = test.calls {
            #expect(try result.get().map { $0.json.text() } == expected.map { $0.text() })
        } else {
            let error = #expect(throws: ToolCallError.self) { try result.get() }
            let text = error.map { "\($0.line):\($0.column): \($0.reason)" }
            #expect(text == test.error)
            #expect(error?.text == test.block)
        }
    }

    @Test("Written calls read back the same", arguments: ToolCallFormat.all.map(\.name), 0..<40 as Range<UInt64>)
    func roundTrip(_ name: String, _ seed: UInt64) throws {
        let format = try #require(ToolCallFormat(named: name))
        var random = RandomCalls(seed: seed)
        let calls = (0...seed % 3).map { _ in random.call() }
        let text = format.text(of: calls)
        #expect(try format.calls(in: text) == calls, "\(text)")
        #expect(!format.marks.texts.contains { text.contains($0) } && !text.contains("<|"), "\(text)")
        #expect(Self.split(format.markedText(of: calls), format) == calls)
    }

    /// The calls in a stream, in which all other text must be whitespace.
    private static func split(_ stream: String, _ format: ToolCallFormat) -> [ToolCall]? {
        guard let dialect = Dialect(named: format.name) else { return nil }
        var reader = AnswerReader(dialect)
        var calls: [ToolCall] = []
        for event in reader.append(stream) + reader.finish() {
            switch event {
            case .calls(let more): calls += more
            case .callBegins, .callArguments: continue
            case .text(let text) where text.allSatisfy(\.isWhitespace): continue
            default: return nil
            }
        }
        return calls
    }

    @Test("A truncated block gives an error or complete calls", arguments: ToolCallFormat.all.map(\.name))
    func truncated(_ name: String) throws {
        let format = try #require(ToolCallFormat(named: name))
        var random = RandomCalls(seed: 7)
        let calls = (0..<3).map { _ in random.call() }
        let text = format.text(of: calls)
        for length in 0..<text.unicodeScalars.count {
            let cut = String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
            guard let found = try? format.calls(in: cut) else { continue }
            #expect(calls.starts(with: found), "\(cut)")
        }
    }

    @Test("Random text gives calls that round-trip, or an error with a position", arguments: 0..<200 as Range<UInt64>)
    func fuzz(_ seed: UInt64) {
        var numbers = SeededRandomNumberGenerator(seed: seed)
        let parts = [
            "[", "]", "(", ")", "{", "}", "f", "=", ",", "'", "\"", "\\", "1", "-", "0x", "e", ".", "_", " ", "\n", "#",
            "**", "null", "True", "r'", "b\"", "\\u12", ":", "\"name\":", "é", "\u{0}", "😀", ";", "*", "set(", "f(a=1)",
        ]
        let text = (0..<Int.random(in: 1...60, using: &numbers)).compactMap { _ in parts.randomElement(using: &numbers)
        }
        for block in [text.joined(), "[f(" + text.joined(), "{\"name\": \"f\", \"arguments\": " + text.joined()] {
            for format in ToolCallFormat.all {
                do throws(ToolCallError) {
                    let calls = try format.calls(in: block)
                    let again = calls.isEmpty ? [] : try format.calls(in: format.text(of: calls))
                    #expect(again == calls)
                } catch {
                    #expect(error.line >= 1 && error.column >= 1 && error.text == block)
                }
            }
        }
    }

    @Test("Huge blocks are read or rejected by a limit, in bounded time", .timeLimit(.minutes(5)))
    func immense() throws {
        let nested = String(repeating: "[", count: 10_000)
        let long = String(repeating: "x\\n", count: 10 << 20 / 3)
        let many = String(repeating: "f(a=1), ", count: 10_000)
        let lfm = ToolCallFormat.lfm
        #expect(reason(lfm, "[f(x=\(nested))]") == "lists and dictionaries are nested deeper than 200 levels")
        #expect(reason(.hermes, nested) == "lists and dictionaries are nested deeper than 200 levels")
        #expect(reason(lfm, "[\(many)]") == "the block has more than 1024 calls")
        #expect(reason(lfm, many) == "the block has more than 1024 calls")
        #expect(try lfm.calls(in: "[f(x='\(long)')]")[0].arguments["x"]?.string?.utf8.count == (10 << 20 / 3) * 2)
        #expect(reason(lfm, long + long) == "the block has more than 16777216 bytes")
        for hostile in ["[#", "[ ", "f", "f(", "-", "0", "0x1", "'", "r", "{1:", "(", "[f", "\\\n", "**{"] {
            let text = String(repeating: hostile, count: 100_000)
            _ = try? lfm.calls(in: text)
            _ = try? lfm.calls(in: "[f(x=" + text)
        }
    }

    private func reason(_ format: ToolCallFormat, _ block: String) -> String? {
        do {
            _ = try format.calls(in: block)
            return nil
        } catch { return error.reason }
    }

    @Test("An error shows the line with a caret")
    func errorText() {
        let error = #expect(throws: ToolCallError.self) { try ToolCallFormat.lfm.calls(in: "[f(a=1,\n  b=2 3)]") }
        #expect(
            error.map { "\($0)" }
                == "function call 2:7: expected ',' or ')', found '3'\n    b=2 3)]\n        ^")
        #expect(
            ToolCallError.cutOff("[f(").description
                == "function call 1:4: the answer ends in the middle of the call\n  [f(\n     ^")
    }

    @Test("The format is detected from the chat template")
    func detection() {
        #expect(ToolCallFormat(detectedIn: "List of tools: <|tool_list_start|>[")?.name == "lfm")
        #expect(ToolCallFormat(detectedIn: "'<tool_call>\\n'")?.name == "hermes")
        #expect(ToolCallFormat(detectedIn: "{%- set tools = none %}")?.name == nil)
    }
}

/// Generates calls with all kinds of arguments.
private struct RandomCalls {
    private var numbers: SeededRandomNumberGenerator

    init(seed: UInt64) {
        numbers = SeededRandomNumberGenerator(seed: seed)
    }

    mutating func call() -> ToolCall {
        let names = ["f", "get_weather", "calendar.add", "search-docs", "größe", "not a name", "1st", "_"]
        var arguments: OrderedDictionary<String, JSONValue> = [:]
        let keys = ["city", "0", "1", "a-b", "", "class", "x.y", "\"", "ö", "<|im_end|>"]
        for _ in 0..<Int.random(in: 0...4, using: &numbers) {
            arguments[keys.randomElement(using: &numbers) ?? ""] = value()
        }
        return ToolCall(name: names.randomElement(using: &numbers) ?? "", arguments: arguments)
    }

    private mutating func value(depth: Int = 0) -> JSONValue {
        switch Int.random(in: 0..<(depth < 4 ? 11 : 9), using: &numbers) {
        case 0: return .null
        case 1: return .bool(.random(using: &numbers))
        case 2: return .integer(.random(in: .min ... .max, using: &numbers))
        case 3: return .number(.random(in: -1e3...1e3, using: &numbers))
        case 4: return .number(Double(bitPattern: .random(in: 0..<0x7FF0_0000_0000_0000, using: &numbers)))
        case 5:
            let numbersBeyond: [JSONValue] = [
                .largeInteger("-18446744073709551616"), .exactNumber("1e400"), .exactNumber("-2.5e-999"),
                .integer(.min),
            ]
            return numbersBeyond.randomElement(using: &numbers) ?? .null
        case 6...8: return .string(text())
        case 9: return .array((0..<Int.random(in: 0...3, using: &numbers)).map { _ in value(depth: depth + 1) })
        default:
            var members: OrderedDictionary<String, JSONValue> = [:]
            for _ in 0..<Int.random(in: 0...3, using: &numbers) { members[text()] = value(depth: depth + 1) }
            return .object(members)
        }
    }

    private mutating func text() -> String {
        let parts = [
            "a", "Paris", " ", "'", "\"", "\\", "\n", "\t", "\u{0}", "\u{7F}", "é", "😀", "<|tool_call_end|>",
            "</tool_call>",
            "<tool_call>", "[TOOL_CALLS]", "<|im_end|>", "<", "|", "#", "}", ")", "]", ",", "\u{FFFD}", "\\n", "'''",
        ]
        return (0..<Int.random(in: 0...6, using: &numbers)).compactMap { _ in parts.randomElement(using: &numbers) }
            .joined()
    }
}
