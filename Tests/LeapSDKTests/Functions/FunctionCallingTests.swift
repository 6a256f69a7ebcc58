import Foundation
import LeapChat
import LeapEngine
import LeapGeneration
import LeapSDK
import LeapTokenizer
import Synchronization
import Testing
import _LeapTestSupport

/// Function calling with scripted models.
@Suite("Function calling")
struct FunctionCallingTests {
    private static let user = ChatMessage(role: .user, textContent: "Weather in Rome?")
    private static let weather = LeapFunctionTests.weather

    /// The answer and events of a model that generates exactly `text`.
    private func say(
        _ text: String, spellsMarks: Bool = false, _ change: (GenerationOptions) -> Void = { _ in }
    ) async throws -> (answer: Answer, events: [AnswerEvent]) {
        let model = try ScriptedModel(text, spellsMarks: spellsMarks)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let options = GenerationOptions(temperature: 0)
        change(options)
        let request = try runner.makeRequest([Self.user], functions: [Self.weather], options: options)
        let events = Mutex<[AnswerEvent]>([])
        let answer = try await runner.answer(request, cancellation: CancellationFlag()) { event in
            if case .promptRead = event { return }
            events.withLock { $0.append(event) }
        }
        return (answer, events.withLock { $0 })
    }

    private func text(_ events: [AnswerEvent]) -> String {
        events.map { if case .text(let text) = $0 { text } else { "" } }.joined()
    }

    @Test("each tool-call block is one event, and the answer has the calls of all blocks", arguments: [false, true])
    func oneEventPerBlock(spellsMarks: Bool) async throws {
        let (answer, events) = try await say(
            "Yes.<|tool_call_start|>[get_weather(cities=['Rome']), g()]<|tool_call_end|>\n"
                + "<|tool_call_start|>h()<|tool_call_end|>", spellsMarks: spellsMarks)
        let blocks = events.compactMap { if case .calls(let calls) = $0 { calls } else { nil } }
        #expect(blocks.map { $0.map(\.name) } == [["get_weather", "g"], ["h"]])
        #expect(answer.calls == blocks.flatMap(\.self))
        #expect(LeapFunctionCall(answer.calls[0]).argumentsJSON == ["cities": ["Rome"]])
        #expect(text(events) == "Yes.\n" && answer.result.text == "Yes.\n")
    }

    @Test("positional arguments get the parameter names of the registered function")
    func positional() async throws {
        let (answer, _) = try await say("<|tool_call_start|>[get_weather(['Rome'])]<|tool_call_end|>")
        #expect(
            answer.calls.map(LeapFunctionCall.init) == [
                LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
            ])
    }

    @Test("the Hermes parser reads Hermes calls, which the default parser leaves as text")
    func hermes() async throws {
        let text = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>"
        let (answer, _) = try await say(text) { $0.functionCallParser = HermesFunctionCallParser() }
        #expect(answer.calls.map(LeapFunctionCall.init) == [LeapFunctionCall(name: "f", argumentsJSON: [:])])
        let other = try await say(text)
        #expect(other.answer.calls.isEmpty && other.answer.result.text == text)
    }

    /// Calls between exclamation marks, one word each.
    private final class WordParser: LeapFunctionCallParser {
        init() { super.init(toolCallStartToken: "!!", toolCallEndToken: "!!") }

        override func parse() throws -> [LeapFunctionCall] {
            defer { clear() }
            return text.split(separator: " ").map { LeapFunctionCall(name: String($0), argumentsJSON: [:]) }
        }
    }

    @Test("a custom parser reads a custom format")
    func custom() async throws {
        let (answer, _) = try await say("well !!one two!! then") { $0.functionCallParser = WordParser() }
        #expect(answer.calls.map(\.name) == ["one", "two"])
        #expect(answer.result.text == "well  then")
    }

    /// A known format's parser with a changed result.
    private final class ShoutingParser: HermesFunctionCallParser {
        override func parse() throws -> [LeapFunctionCall] {
            try super.parse().map { LeapFunctionCall(name: $0.name.uppercased(), argumentsJSON: $0.argumentsJSON) }
        }
    }

    @Test("an override of a known format's parser is called")
    func derived() async throws {
        let text = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>"
        let (answer, _) = try await say(text) { $0.functionCallParser = ShoutingParser() }
        #expect(answer.calls.map(LeapFunctionCall.init) == [LeapFunctionCall(name: "F", argumentsJSON: ["a": 1])])
    }

    /// A known format's parser whose calls are written differently, with the marks around them.
    private final class MarkingParser: HermesFunctionCallParser {
        override func dump(functionCalls: [LeapFunctionCall]) -> String {
            "<tool_call>" + functionCalls.map(\.name).joined(separator: ",") + "</tool_call>"
        }
    }

    @Test("several calls of the history are in blocks of their own, also by an override of the format's parser")
    func history() async throws {
        let template = "{% for m in messages %}{{ m.content }}{% endfor %}"
        let model = try ScriptedModel("", template: template)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let calls = [
            LeapFunctionCall(name: "f", argumentsJSON: ["a": 1]), LeapFunctionCall(name: "g", argumentsJSON: [:]),
        ]
        func prompt(_ parser: LeapFunctionCallParser) throws -> String {
            let options = GenerationOptions()
            options.functionCallParser = parser
            let messages = [
                ChatMessage(role: .user, textContent: "?"),
                ChatMessage(role: .assistant, content: [], functionCalls: calls),
                ChatMessage(role: .tool, textContent: "5"),
            ]
            return try runner.model().tokenizer.decode(runner.makeRequest(messages, options: options).prompt.tokens)
        }
        let usual = try prompt(HermesFunctionCallParser())
        #expect(usual.components(separatedBy: "<tool_call>").count == 3)
        #expect(try prompt(ShoutingParser()) == usual)
        #expect(try prompt(MarkingParser()).contains("<tool_call>f</tool_call>\n<tool_call>g</tool_call>"))
    }

    @Test("without a parser, calls are text with their markers")
    func raw() async throws {
        let text = "So: <|tool_call_start|>[f()]<|tool_call_end|>"
        let (answer, events) = try await say(text) { $0.functionCallParser = nil }
        #expect(answer.calls.isEmpty && self.text(events) == text)
    }

    @Test("an unparseable call is text, and its position is reported")
    func malformed() async throws {
        let text = "<|tool_call_start|>[f(a=1 b=2)]<|tool_call_end|> and so on"
        let (answer, events) = try await say(text)
        #expect(answer.calls.isEmpty && answer.result.text == text && self.text(events) == text)
        let errors = events.compactMap { if case .unreadableCall(let error) = $0 { error } else { nil } }
        #expect(errors.map(\.column) == [8] && errors.map(\.text) == ["[f(a=1 b=2)]"])
    }

    @Test("a block without its end marker is read if the answer ends after a complete call")
    func missingEnd() async throws {
        let (answer, events) = try await say("<|tool_call_start|>[f(a=1)]")
        #expect(answer.calls.map(LeapFunctionCall.init) == [LeapFunctionCall(name: "f", argumentsJSON: ["a": 1])])
        #expect(events.count { if case .calls = $0 { true } else { false } } == 1 && text(events).isEmpty, "\(events)")
    }

    @Test("a call cut off by the token limit is text and reported as cut off")
    func cutOff() async throws {
        let (answer, events) = try await say("<|tool_call_start|>[get_weather(cities=['Rome'])]<|tool_call_end|>") {
            $0.maxOutputTokens = 5
        }
        #expect(answer.calls.isEmpty && answer.result.text.hasPrefix("<|tool_call_start|>["))
        #expect(events.contains { if case .unreadableCall(let error) = $0 { error.problem == .cutOff } else { false } })
    }

    @Test("without a chosen parser, the call dialect is detected from the chat template")
    func dialectOfTemplate() async throws {
        let template = """
            {%- for m in messages -%}
            {{- '<|im_start|>' + m.role + '\\n' + (m.content or '') -}}
            {%- for c in m.tool_calls or [] -%}
            {{- '<tool_call>' + c.function.name -}}
            {%- for k, v in c.function.arguments.items() -%}
            {{- '<arg_key>' + k + '</arg_key><arg_value>' + (v if v is string else v | tojson) + '</arg_value>' -}}
            {%- endfor -%}
            {{- '</tool_call>' -}}
            {%- endfor -%}
            {{- '<|im_end|>\\n' -}}
            {%- endfor -%}
            {%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}
            """
        let model = try ScriptedModel(
            "<tool_call>get_weather<arg_key>cities</arg_key><arg_value>[\"Rome\"]</arg_value></tool_call>",
            template: template)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(Self.weather)
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: GenerationOptions(temperature: 0)))
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
        #expect(responses.contains { if case .functionCall([call]) = $0 { true } else { false } })
        #expect(try runner.model().dialect.name == "glm")
    }

    /// A chat template in the style of gpt-oss's.
    private static let harmony = """
        {%- for m in messages -%}
        {%- if m.thinking -%}
        {{- '<|start|>assistant<|channel|>analysis<|message|>' + m.thinking + '<|end|>' -}}
        {%- endif -%}
        {%- if m.tool_calls -%}
        {%- set c = m.tool_calls[0].function -%}
        {{- '<|start|>assistant to=functions.' + c.name + '<|channel|>commentary json<|message|>' -}}
        {{- c.arguments | tojson + '<|call|>' -}}
        {%- else -%}
        {{- '<|start|>' + m.role + '<|message|>' + (m.content or '') + '<|end|>' -}}
        {%- endif -%}
        {%- endfor -%}
        {%- if add_generation_prompt -%}{{- '<|start|>assistant' -}}{%- endif -%}
        """

    private static let harmonyControls = [
        "<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|constrain|>", "<|call|>", "<|return|>",
    ]

    @Test(
        "Harmony channels become reasoning and calls, wherever a header has its recipient",
        arguments: [
            " to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>",
            "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>",
        ], [true, false])
    func channels(header: String, thinks: Bool) async throws {
        let thought = "<|channel|>analysis<|message|>Rome it is.<|end|><|start|>assistant"
        let model = try ScriptedModel(
            (thinks ? thought : "") + header + #"{"cities": ["Rome"]}<|call|><|return|><|end|>"#,
            controls: Self.harmonyControls, template: Self.harmony)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(Self.weather)
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: GenerationOptions(temperature: 0)))
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
        let message = try #require(responses.completion?.message)
        #expect(try runner.model().dialect.name == "harmony")
        #expect(message.functionCalls == [call] && responses.text.isEmpty && message.text.isEmpty)
        #expect(message.reasoningContent == (thinks ? "Rome it is." : nil))
    }

    @Test("a constrained Harmony answer contains only the constrained text")
    func constrainedChannels() async throws {
        // The prompt ends with the header of the answer, after which the model continues.
        let model = try ScriptedModel(
            #"<|message|>{"ok": true}<|return|><|call|><|end|><|channel|>"#, controls: Self.harmonyControls,
            template: Self.harmony)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let options = GenerationOptions(
            temperature: 0, jsonSchemaConstraint: #"{"properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}"#)
        let responses = try await collect(
            runner.createConversation().generateResponse(message: Self.user, generationOptions: options))
        #expect(responses.text == #"{"ok": true}"#)
    }

    /// A dialect whose calls have start and end markers, and one whose calls have only a start marker.
    private static let constrained: [(name: String, controls: [String], script: String, template: String)] = [
        ("lfm", ScriptedModel.controls, "<|tool_call_start|>[get_weather(cities=['Rome'])]<|tool_call_end|>", ""),
        (
            "mistral", ["[TOOL_CALLS]"], #"[TOOL_CALLS][{"name": "get_weather", "arguments": {"cities": ["Rome"]}}]"#,
            "{# [TOOL_CALLS] #}"
        ),
    ]

    @Test("a constrained answer may be a function call instead, and then nothing else", arguments: constrained)
    func underConstraint(
        _ dialect: (name: String, controls: [String], script: String, template: String)
    ) async throws {
        let model = try ScriptedModel(
            dialect.script, controls: dialect.controls, template: dialect.template + ScriptedModel.chatML)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(Self.weather)
        let options = GenerationOptions(
            temperature: 0, jsonSchemaConstraint: #"{"properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}"#)
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: options))
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
        #expect(responses.completion?.message.functionCalls == [call])
        #expect(responses.text.isEmpty && responses.completion?.ending == .endOfTurn)
    }

    @Test("a call inside reasoning is part of the reasoning")
    func inThought() async throws {
        let (answer, _) = try await say("<think><|tool_call_start|>[f()]<|tool_call_end|></think>No.")
        #expect(answer.calls.isEmpty && answer.result.text == "No.")
        #expect(answer.result.reasoning == "<|tool_call_start|>[f()]<|tool_call_end|>")
    }

    @Test("a conversation delivers calls, keeps them in the history and separates reasoning")
    func conversation() async throws {
        let model = try ScriptedModel(
            "<think>Rome it is.</think><|tool_call_start|>[get_weather(cities=['Rome'])]<|tool_call_end|>")
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        conversation.registerFunction(Self.weather)
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: GenerationOptions(temperature: 0)))
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
        #expect(responses.contains { if case .functionCall([call]) = $0 { true } else { false } })
        let message = try #require(conversation.history.last)
        #expect(message.functionCalls == [call] && message.reasoningContent == "Rome it is." && message.text.isEmpty)
        #expect(try ChatMessage(json: message.json) == message)
        #expect(conversation.problems(in: call).isEmpty)
    }

    @Test("a conversation completes its turn after an unparseable call")
    func malformedConversation() async throws {
        let model = try ScriptedModel("Well.<|tool_call_start|>[f(]<|tool_call_end|>")
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let conversation = runner.createConversation()
        let responses = try await collect(
            conversation.generateResponse(message: Self.user, generationOptions: GenerationOptions(temperature: 0)))
        #expect(responses.text == "Well.<|tool_call_start|>[f(]<|tool_call_end|>")
        #expect(conversation.history.count == 2 && !conversation.isGenerating)
    }

    // MARK: - Registering

    @Test("functions can be registered one by one, together and repeatedly")
    func registers() async throws {
        let other = LeapFunction(name: "other", description: "", parameters: [])
        let conversation = try await load().createConversation()
        conversation.registerFunction(Self.weather)
        conversation.registerFunction(function: Self.weather)
        conversation.registerFunctions([other, Self.weather])
        conversation.registerFunctions(functions: [other])
        #expect(conversation.functions == [Self.weather, other])
        let responses = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        #expect(responses.completion != nil)
    }

    @Test("registered functions are passed to the chat template")
    func functionsInPrompt() async throws {
        let template = "{% if tools %}{{ tools[0].function.name }}{% endif %}{{ messages[0].content }}"
        let runner = try await load(options: .init(bundlePath: "", chatTemplate: template))
        let without = runner.createConversation()
        let with = runner.createConversation()
        with.registerFunction(Self.weather)
        let prompts = try await [without, with].asyncMap { conversation in
            try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
                .completion?.stats?.promptTokens ?? 0
        }
        #expect(prompts[0] < prompts[1])
    }

    private static let refused: [(LeapFunction, LeapFunctionError)] = [
        (LeapFunction(name: "get weather", description: "", parameters: []), .illegalName("get weather")),
        (LeapFunction(name: "get_weather", description: "Another", parameters: []), .duplicateFunction("get_weather")),
    ]

    @Test(
        "an invalid function fails the next generation and leaves the conversation unchanged",
        arguments: refused)
    func refuses(_ function: LeapFunction, _ expected: LeapFunctionError) async throws {
        let conversation = try await load().createConversation()
        conversation.registerFunction(Self.weather)
        conversation.registerFunction(function)
        #expect(conversation.functions == [Self.weather])
        await #expect {
            try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        } throws: { error in
            guard case LeapError.generationFailure(let text, let cause as LeapFunctionError) = error else {
                return false
            }
            return cause == expected && text == expected.description
        }
        #expect(conversation.history.isEmpty && !conversation.isGenerating)
        let responses = try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        #expect(responses.completion != nil && conversation.history.count == 2)
    }

    @Test("a call without arguments in the history is accepted", arguments: [JSONValue.null, "", [:]])
    func callWithoutArguments(arguments: JSONValue) async throws {
        let call = ChatMessage(
            role: .assistant, content: [], functionCalls: [LeapFunctionCall(name: "f", argumentsJSON: arguments)])
        let conversation = try await load().createConversationFromHistory(history: [Self.user, call])
        let result = ChatMessage(role: .tool, textContent: "1")
        let responses = try await collect(conversation.generateResponse(message: result, generationOptions: short))
        #expect(responses.completion != nil)
    }

    @Test("a call with malformed arguments in the history is an error until it is removed")
    func brokenHistory() async throws {
        let call = LeapFunctionCall(name: "f", argumentsJSON: "{\"a\": ")
        let broken = ChatMessage(role: .assistant, content: [], functionCalls: [call])
        let conversation = try await load().createConversationFromHistory(history: [Self.user, broken])
        await #expect {
            try await collect(conversation.generateResponse(message: Self.user, generationOptions: short))
        } throws: { error in
            guard case LeapError.serializationFailure(let text, _) = error else { return false }
            return text.hasPrefix("the arguments of function call 'f' are not valid JSON: ")
        }
        #expect(conversation.history == [Self.user, broken])
        conversation.removeLastMessage()
        let responses = try await collect(conversation.generateResponse(generationOptions: short))
        #expect(responses.completion != nil)
    }

    @Test("a function's result gives the same answer in a new conversation's history and as a message")
    func results() async throws {
        let runner = try await load()
        let call = LeapFunctionCall(name: "get_weather", argumentsJSON: ["cities": ["Rome"]])
        let history = [Self.user, ChatMessage(role: .assistant, content: [], functionCalls: [call])]
        let tool = ChatMessage(role: .tool, textContent: #"{"temperature":72}"#)
        let conversation = runner.createConversationFromHistory(history: history)
        let next = conversation.modelRunner.createConversationFromHistory(history: conversation.history + [tool])
        let continued = try await collect(next.generateResponse(generationOptions: short))
        let asMessage = try await collect(conversation.generateResponse(message: tool, generationOptions: short))
        #expect(continued.text == asMessage.text && !continued.text.isEmpty)
        #expect(next.history == conversation.history)
        #expect(next.history.map(\.role) == [.user, .assistant, .tool, .assistant])
    }
}

extension Sequence where Element: Sendable {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
