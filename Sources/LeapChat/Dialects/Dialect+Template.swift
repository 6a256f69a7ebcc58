import LeapJSON

/// Detecting a model's dialect: the one that can parse what its chat template writes.
extension Dialect {
    /// Detects the dialect of a template's model.
    ///
    /// Renders the template with a conversation that contains a call. Among the dialects that parse exactly this call
    /// from the result, chooses the one that leaves the least text. If there is none, uses hints in the template's
    /// source. If the template shows no thoughts, they are read only at the beginning of an answer.
    public init(of template: ChatTemplate) {
        let probe = DialectProbe(template)
        var dialect = probe.dialect ?? Self.hinted(by: template.source) ?? .plain
        dialect.generationPrompt = probe.generationPrompt
        if dialect.thoughts == [.think] {
            dialect.thoughts = Enclosure.others.filter { template.source.contains($0.end) } + [.think]
        }
        dialect.thinksAfterText = dialect.thinks(in: template.source)
        self = dialect
    }

    private static func hinted(by source: String) -> Dialect? {
        all.reversed().first { $0.hints.contains { source.contains($0) } }
    }

    /// Returns whether a template shows that its model reasons.
    public func thinks(in source: String) -> Bool {
        thoughts.contains { source.contains($0.end) || !$0.start.isEmpty && source.contains($0.start) }
    }

    /// Returns the end of a prompt that belongs to the answer: the start of an open thought, and text that the answer
    /// continues.
    ///
    /// - Parameter prompt: The text that the template wrote after the last message, with the text that the answer
    ///   continues, if any.
    public func opening(of prompt: String) -> String {
        if let start = firstMark(in: prompt) { return String(prompt[start...]) }
        return prompt.hasPrefix(generationPrompt) ? String(prompt.dropFirst(generationPrompt.count)) : ""
    }

    /// Returns the end of a complete prompt that belongs to the answer; see ``opening(of:)``.
    public func opening(ofWholePrompt prompt: String) -> String {
        if !generationPrompt.isEmpty, prompt.hasSuffix(generationPrompt) {
            return firstMark(in: generationPrompt).map { String(generationPrompt[$0...]) } ?? ""
        }
        let text = prompt.trimmedOfSpace
        let opened = thoughts.first { !$0.start.isEmpty && text.hasSuffix($0.start.trimmedOfSpace) }
        return opened?.start ?? ""
    }

    /// Returns the unfinished message header at the end of a prompt, which the model continues; `nil` if there is none.
    public func header(ofWholePrompt prompt: String) -> String? {
        channels?.begins.first { prompt.hasSuffix($0) }
    }

    /// Returns the header to append to a prompt so that only the text of the answer follows, as a constraint requires.
    public func answerHeader(after prompt: String) -> String {
        header(ofWholePrompt: prompt) == nil ? "" : channels?.answerHeader ?? ""
    }

    /// Returns whether a complete prompt ends inside a thought.
    public func startsInThought(ofWholePrompt prompt: String) -> Bool {
        var reader = AnswerReader(self)
        _ = reader.append(opening(ofWholePrompt: prompt))
        return reader.stage == .thought
    }

    private func firstMark(in prompt: String) -> String.Index? {
        let marks = thoughts.flatMap(\.texts) + contents.map(\.start) + (channels?.begins ?? [])
        return marks.compactMap { $0.isEmpty ? nil : prompt.firstRange(of: $0)?.lowerBound }.min()
    }
}

/// A conversation with a call, rendered by a template.
private struct DialectProbe {
    /// The text that the template writes before an answer.
    let generationPrompt: String
    /// The assistant's message with the call, as the template writes it.
    private let answer: String?

    private static let function = "leap_probe_call"
    private static let arguments: JSONValue = ["leap_text": "leap value", "leap_number": 7]
    private static let tool: JSONValue = [
        "type": "function",
        "function": [
            "name": .string(function), "description": "x",
            "parameters": [
                "type": "object",
                "properties": [
                    "leap_text": ["type": "string", "description": "x"],
                    "leap_number": ["type": "integer", "description": "x"],
                ],
                "required": ["leap_text", "leap_number"],
            ],
        ],
    ]
    private static let question: JSONValue = ["role": "user", "content": "leap probe question"]

    init(_ template: ChatTemplate) {
        func render(_ messages: [JSONValue], begins: Bool = false) -> String? {
            try? template.render(messages: messages, tools: [Self.tool], addGenerationPrompt: begins)
        }
        let before = render([Self.question])
        // Without tools if the template does not accept them.
        let plain = before ?? (try? template.render(messages: [Self.question], addGenerationPrompt: false))
        let asked = render([Self.question], begins: true) ?? (try? template.render(messages: [Self.question]))
        let prompt = zip2(plain, asked).map { String($1.dropFirst($0.commonPrefix(with: $1))) } ?? ""
        generationPrompt = prompt
        answer = [Self.arguments, .string(Self.arguments.text(.python))].lazy.compactMap { arguments in
            render([Self.question, Self.message(arguments)])
        }.first { $0.contains(Self.function) }.map { text in
            var answer = text[...]
            if let question = answer.ranges(of: "leap probe question").last { answer = answer[question.upperBound...] }
            // Text that the template writes before every answer is not part of this one.
            if !prompt.isEmpty, let start = answer.firstRange(of: prompt) { answer = answer[start.upperBound...] }
            return String(answer)
        }
    }

    private static func message(_ arguments: JSONValue) -> JSONValue {
        [
            "role": "assistant", "content": "",
            "tool_calls": [
                [
                    "id": "call00000", "type": "function",
                    "function": ["name": .string(function), "arguments": arguments],
                ]
            ],
        ]
    }

    /// The dialect that parses the call; `nil` if the template writes no call that can be parsed.
    var dialect: Dialect? {
        guard let answer else { return nil }
        let readings = Dialect.all.compactMap { dialect in Self.text(in: answer, dialect).map { (dialect, $0) } }
        return readings.min { $0.1 < $1.1 }?.0
    }

    /// The amount of text that a dialect leaves of an answer; `nil` if it does not parse the call.
    private static func text(in answer: String, _ dialect: Dialect) -> Int? {
        // If calls have no marks, only the beginning of the answer, after the header, shows whether it is one.
        let begins = dialect.calls?.isBare ?? false ? answer.firstIndex(of: "{") : answer.startIndex
        guard let begins else { return nil }
        var reader = AnswerReader(dialect, functions: [DeclaredFunction(name: function, json: tool)])
        let events = reader.append(String(answer[begins...])) + reader.finish()
        var calls: [ToolCall] = []
        var left = answer[..<begins].utf8.count
        for event in events {
            if case .calls(let more) = event { calls += more }
            if case .text(let text) = event { left += text.utf8.count }
        }
        guard calls.first?.name == function, calls.first.map({ .object($0.arguments) }) == arguments else { return nil }
        return left
    }
}

private func zip2<A, B>(_ first: A?, _ second: B?) -> (A, B)? {
    guard let first, let second else { return nil }
    return (first, second)
}

extension String {
    /// The length of the common prefix of both texts.
    fileprivate func commonPrefix(with other: String) -> Int {
        zip(self, other).prefix { $0 == $1 }.count
    }
}
