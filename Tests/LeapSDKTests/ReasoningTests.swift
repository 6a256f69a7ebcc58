import LeapGeneration
import LeapJSON
import LeapSDK
import Testing
import _LeapTestSupport

@Suite("Reasoning")
struct ReasoningTests {
    private static let user = ChatMessage(role: .user, textContent: "Hi")

    /// Opens the reasoning for the model if the variable says so; the fixture's model never closes it.
    private static let template =
        "{% for m in messages %}{{ m.content }}{% endfor %}{% if enable_thinking %}\n<think>\n{% endif %}"

    private func responses(_ options: GenerationOptions) async throws -> [MessageResponse] {
        let runner = try await load(options: .init(bundlePath: "", chatTemplate: Self.template))
        return try await collect(
            runner.createConversation().generateResponse(message: Self.user, generationOptions: options))
    }

    @Test("text after a think tag that the template opened is reasoning, not content")
    func opened() async throws {
        let responses = try await responses(short.with(enableThinking: true))
        let message = try #require(responses.completion?.message)
        #expect(responses.text.isEmpty && !responses.reasoning.isEmpty)
        #expect(message.text.isEmpty && message.reasoningContent == responses.reasoning)
    }

    @Test("without enable_thinking, or with it set to false, there is no reasoning", arguments: [nil, false])
    func notOpened(enableThinking: Bool?) async throws {
        let options = GenerationOptions(short.values)
        options.enableThinking = enableThinking
        let responses = try await responses(options)
        #expect(!responses.text.isEmpty && responses.reasoning.isEmpty)
        #expect(responses.completion?.message.reasoningContent == nil)
    }

    @Test("inline reasoning is delivered as chunks with tags, and is still the message's reasoning")
    func inline() async throws {
        let split = try await responses(short.with(enableThinking: true))
        let inline = try await responses(short.with(enableThinking: true).with(inlineThinkingTags: true))
        #expect(inline.text == "<think>" + split.reasoning && inline.reasoning.isEmpty)
        #expect(inline.completion?.message == split.completion?.message)
    }

    @Test("inline reasoning keeps the template's line breaks only where it is delivered, not in the message")
    func inlineLineBreaks() async throws {
        let script = "<think>\nHm.\n</think>\n\nYes."
        let model = try ScriptedModel(script)
        let runner = try LiquidInferenceEngineRunner(options: .init(bundlePath: model.path, cpuThreads: 1))
        let options = GenerationOptions(temperature: 0)
        func responses(_ options: GenerationOptions) async throws -> [MessageResponse] {
            try await collect(
                runner.createConversation().generateResponse(message: Self.user, generationOptions: options))
        }
        let split = try await responses(options)
        let inline = try await responses(options.with(inlineThinkingTags: true))
        #expect(inline.text == script && inline.reasoning.isEmpty)
        #expect(split.completion?.message.text == "Yes." && split.completion?.message.reasoningContent == "Hm.")
        #expect(inline.completion?.message == split.completion?.message)
    }

    struct ThinkingCase: Sendable {
        var enableThinking: Bool?
        var variables: [String: JSONValue] = [:]
        let mayThink: Bool
    }

    private static let thinkingCases = [
        ThinkingCase(mayThink: true), ThinkingCase(enableThinking: true, mayThink: true),
        ThinkingCase(enableThinking: false, mayThink: false),
        ThinkingCase(variables: ["enable_thinking": false], mayThink: false),
        ThinkingCase(variables: ["thinking": false], mayThink: false),
        ThinkingCase(enableThinking: true, variables: ["enable_thinking": false], mayThink: false),
        ThinkingCase(enableThinking: false, variables: ["enable_thinking": true], mayThink: true),
        ThinkingCase(enableThinking: false, variables: ["style": "terse"], mayThink: false),
        ThinkingCase(variables: ["enable_thinking": "no"], mayThink: true),
    ]

    @Test("a constrained answer may begin with reasoning unless the template disables it", arguments: thinkingCases)
    func constrained(test: ThinkingCase) async throws {
        let engine = LiquidInferenceEngineOptions(bundlePath: "", chatTemplate: Self.template)
        let runner = try #require(try await load(options: engine) as? LiquidInferenceEngineRunner)
        let options = GenerationOptions()
        options.enableThinking = test.enableThinking
        options.templateVariables = test.variables
        #expect(try runner.makeRequest([Self.user], options: options).mayThink == test.mayThink)
    }
}
