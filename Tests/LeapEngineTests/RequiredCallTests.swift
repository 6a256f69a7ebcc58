import LeapConstraints
import LeapGGUF
import LeapJSON
import LeapOps
import LeapTokenizer
import OrderedCollections
import Testing
import _LeapTestSupport

@testable import LeapChat
@testable import LeapEngine
@testable import LeapGeneration

/// Answers that must call functions, in the syntax of every dialect.
@Suite("Required calls")
struct RequiredCallTests {
    private static let tools: [Tool] = [
        tool(
            "weather",
            ##"{"type":"object","properties":{"city":{"type":"string","maxLength":8},"days":{"$ref":"#/$defs/n"}},"required":["city"],"$defs":{"n":{"type":"integer","minimum":0,"maximum":9}}}"##
        ),
        tool("now", #"{"type":"object","properties":{}}"#),
        tool(
            "plan",
            ##"{"type":"object","properties":{"steps":{"type":"array","items":{"$ref":"#/$defs/n"},"maxItems":2},"dry":{"type":["boolean","null"]}},"required":["dry"],"$defs":{"n":{"enum":["a\"b","</tool_call>"]}}}"##
        ),
    ]

    private static func tool(_ name: String, _ parameters: String) -> Tool {
        let schema = (try? JSONValue(parsing: parameters)) ?? [:]
        return Tool(
            name: name, json: ["type": "function", "function": ["name": .string(name), "parameters": schema]])
    }

    private let tokenizer: Tokenizer

    init() throws {
        tokenizer = try Tokenizer(metadata: GGUFFile(path: Fixture(name: "lfm2-chat-q8_0").path).metadata)
    }

    private func plan(_ dialect: Dialect, _ names: [String], maySeveral: Bool) throws -> (CallPlan, Constraint) {
        let calls = AnswerOptions.RequiredCalls(names, maySeveral: maySeveral)
        let plan = CallPlan(calls, Self.tools, dialect, tokenizer)
        return (plan, try ConstraintCache().constraint(plan.source))
    }

    private static let calls = [
        ToolCall(name: "weather", arguments: ["city": "Å \"b\"", "days": 3]), ToolCall(name: "now"),
        ToolCall(name: "plan", arguments: ["steps": ["a\"b"], "dry": nil]),
    ]

    /// The bytes of a text, with marks that are tokens encoded as tokens.
    private func bytes(_ text: String, _ dialect: Dialect) -> [UInt8] {
        var text = text
        var bytes: [UInt8] = []
        let marks = dialect.callMarkTexts.filter { mark in tokenizer.token(for: mark).map(tokenizer.isControl) ?? false
        }
        while !text.isEmpty {
            if let mark = marks.first(where: text.hasPrefix), let token = tokenizer.token(for: mark) {
                bytes += TokenVocabulary.bytes(ofHidden: token)
                text.removeFirst(mark.count)
            } else {
                bytes += text.removeFirst().utf8
            }
        }
        return bytes
    }

    private func isPermitted(_ calls: [ToolCall], in dialect: Dialect, _ constraint: Constraint) -> Bool {
        var state = constraint.makeState()
        var text = dialect.markedText(of: calls)
        // Llama writes its mark only before its built-in tools.
        if dialect.calls?.isBare == true, let mark = dialect.calls?.opens.first {
            text = text.replacing(mark, with: "")
        }
        return state.advance(bytes(text, dialect)) == nil && state.isAccepting
    }

    /// Dialects whose calls have a grammar of their own; calls in the others are JSON.
    private static let own: Set<String> = [
        "lfm", "hermes", "mistral", "llama3", "mistral-named", "granite", "phi", "firefunction", "apriel", "nemotron",
        "apertus", "gigachat", "gigachat-turns", "command-fenced", "command", "deepseek", "deepseek-fenced", "kimi",
        "solar", "functionary",
    ]

    @Test("the constraint permits the calls that a dialect writes", arguments: Dialect.all.map(\.name))
    func written(_ name: String) throws {
        let dialect = try #require(Dialect(named: name))
        let names = Self.tools.map(\.name)
        let (plan, several) = try plan(dialect, names, maySeveral: true)
        let isOwn = CallPattern(of: names, maySeveral: true, in: dialect).dialect.calls?.opens == dialect.calls?.opens
        #expect(plan.dialect.readsCalls)
        guard Self.own.contains(name) else {
            #expect(isPermitted(Self.calls, in: dialect, several) == false)
            return
        }
        #expect(isOwn)
        #expect(isPermitted(Self.calls, in: dialect, several))
        let (_, one) = try self.plan(dialect, names, maySeveral: false)
        #expect(isPermitted([Self.calls[0]], in: dialect, one))
        #expect(!isPermitted(Self.calls, in: dialect, one))
        let (_, named) = try self.plan(dialect, ["now"], maySeveral: true)
        #expect(isPermitted([Self.calls[1]], in: dialect, named))
        #expect(!isPermitted([Self.calls[0]], in: dialect, named))
    }

    @Test(
        "everything the constraint permits parses as calls that satisfy their schemas",
        arguments: Dialect.all.map(\.name), 0..<4)
    func read(_ name: String, _ seed: UInt64) throws {
        let dialect = try #require(Dialect(named: name))
        let maySeveral = seed % 2 == 0
        let (plan, constraint) = try plan(dialect, Self.tools.map(\.name), maySeveral: maySeveral)
        var numbers = SeededRandomNumberGenerator(seed: seed)
        let vocabulary = TokenVocabulary(tokenizer)
        var masker = TokenMasker(constraint, vocabulary)
        var state = constraint.makeState()
        var reader = AnswerReader(plan.dialect, functions: Self.tools.map(\.declaration))
        var events: [AnswerReader.Event] = []
        for _ in 0..<3000 where !state.isComplete {
            let mask = masker.mask(for: state)
            // Stops at some accepting state, so that the calls are complete.
            if state.isAccepting, Int.random(in: 0..<3, using: &numbers) == 0 { break }
            let tokens = (0..<Token(vocabulary.count)).filter {
                mask.contains($0) && !vocabulary.endTokens.contains($0)
            }
            let token = try #require(tokens.randomElement(using: &numbers))
            #expect(state.advance(vocabulary.bytes(of: token)) == nil)
            let text = tokenizer.bytes(of: token, renderSpecial: true)
            events += reader.append(utf8: text, endsWithToken: tokenizer.isControl(token))
        }
        try #require(state.isAccepting)
        events += reader.finish()
        var calls: [ToolCall] = []
        for event in events {
            switch event {
            case .calls(let more): calls += more
            case .text(let text): #expect(!text.contains { !$0.isWhitespace }, "\(text)")
            case .unreadable(let error): Issue.record("\(error)")
            case .reasoningBegins, .reasoning, .reasoningEnds, .callBegins, .callArguments: break
            }
        }
        #expect(maySeveral ? (1...16).contains(calls.count) : calls.count == 1)
        for call in calls { #expect(Self.tools.problems(in: call).isEmpty, "\(call)") }
    }

    /// Dialects whose calls begin with a mark and have a grammar: those above except for Llama's, whose calls are plain
    /// JSON.
    private static let marked = own.subtracting(["llama3"])

    @Test(
        "a call within text is constrained to its schema from its mark to its end",
        arguments: Dialect.all.map(\.name), 0..<3)
    func held(_ name: String, _ seed: UInt64) throws {
        let dialect = try #require(Dialect(named: name))
        let plan = CallPlan(ofBlock: Self.tools, dialect, tokenizer)
        #expect((plan != nil) == Self.marked.contains(name))
        guard let plan else { return }
        let vocabulary = TokenVocabulary(tokenizer)
        let masker = SharedMasker(try ConstraintCache().constraint(plan.source), vocabulary, tokenizer)
        var scope = ConstraintScope()
        scope.callMarks = dialect.callStarts
        var run = CallRun(masker, scope, tokenizer)
        var reader = AnswerReader(plan.dialect, functions: Self.tools.map(\.declaration))
        var events: [AnswerReader.Event] = []
        var numbers = SeededRandomNumberGenerator(seed: seed)
        let mark = try #require(dialect.callStarts.first)
        var script = tokenizer.encode("Well: ", addSpecial: false, parseSpecial: false)
        script +=
            tokenizer.token(for: mark).map { [$0] }
            ?? tokenizer.encode(mark, addSpecial: false, parseSpecial: false)
        var calls: [ToolCall] = []
        for _ in 0..<3000 where calls.isEmpty {
            var logits = (0..<vocabulary.count).map { _ in Float.random(in: 0..<1, using: &numbers) }
            let isAny = logits.withUnsafeMutableBufferPointer { run.restrict($0, nil) }
            try #require(isAny)
            var token = Token(try #require(logits.indices.max { logits[$0] < logits[$1] }))
            if !script.isEmpty {
                token = script.removeFirst()
                #expect(logits[Int(token)] > -.infinity)
            }
            run.accept(token, isThinking: false)
            let text = tokenizer.bytes(of: token, renderSpecial: true)
            let new = reader.append(utf8: text, endsWithToken: tokenizer.isControl(token))
            for case .calls(let more) in new { calls += more }
            events += new
        }
        #expect(!calls.isEmpty && !events.contains { if case .unreadable = $0 { true } else { false } })
        for call in calls { #expect(Self.tools.problems(in: call).isEmpty, "\(call)") }
        // Text is unconstrained again.
        var logits = [Float](repeating: 0, count: vocabulary.count)
        _ = logits.withUnsafeMutableBufferPointer { run.restrict($0, nil) }
        #expect(logits.count { $0 == -.infinity } < vocabulary.count / 10)
    }

    @Test("a function whose name is not valid in Python is called in JSON, between the same marks")
    func namesThatPythonHasNot() throws {
        let tools = [Self.tool("3d-render", #"{"type":"object","properties":{"a":{"type":"boolean"}}}"#)]
        let plan = CallPlan(.init(["3d-render"], maySeveral: false), tools, .lfm, tokenizer)
        let constraint = try ConstraintCache().constraint(plan.source)
        #expect(
            isPermitted([ToolCall(name: "3d-render", arguments: ["a": true])], in: .lfm, constraint))
    }
}
