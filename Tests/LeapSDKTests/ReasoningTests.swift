import LeapGeneration
import LeapJSON
import LeapSDK
import Testing

@Suite("Reasoning")
struct ReasoningTests {
    private static let user = ChatMessage(role: .user, textContent: "Hi")

    /// Opens a thought in the place of the model where the variable says so; the fixture's model never closes it.
    private static let template =
        "{% for m in messages %}{{ m.content }}{% endfor %}{% if enable_thinking %}\n<think>\n{% endif %}"

    private func responses(_ options: GenerationOptions) async throws -> [MessageResponse] {
        let runner = try await load(options: .init(bundlePath: "", chatTemplate: Self.template))
        return try await collect(
            runner.createConversation().generateResponse(message: Self.user, generationOptions: options))
    }

    @Test("a thought that the template opened is reasoning, and not content")
    func opened() async throws {
        let responses = try await responses(short.with(enableThinking: true))
        let message = try #require(responses.completion?.message)
        #expect(responses.text.isEmpty && !responses.reasoning.isEmpty)
        #expect(message.text.isEmpty && message.reasoningContent == responses.reasoning)
    }

    @Test("without the variable, or with it set to false, there is no thought", arguments: [nil, false])
    func notOpened(enableThinking: Bool?) async throws {
        let options = GenerationOptions(short.values)
        options.enableThinking = enableThinking
        let responses = try await responses(options)
        #expect(!responses.text.isEmpty && responses.reasoning.isEmpty)
        #expect(responses.completion?.message.reasoningContent == nil)
    }

    @Test("inline thoughts are chunks with their tags, and reasoning of the message")
    func inline() async throws {
        let split = try await responses(short.with(enableThinking: true))
        let inline = try await responses(short.with(enableThinking: true).with(inlineThinkingTags: true))
        #expect(inline.text == "<think>" + split.reasoning && inline.reasoning.isEmpty)
        #expect(inline.completion?.message == split.completion?.message)
    }

    struct Told: Sendable {
        var enableThinking: Bool?
        var variables: [String: JSONValue] = [:]
        let mayThink: Bool
    }

    private static let told = [
        Told(mayThink: true), Told(enableThinking: true, mayThink: true), Told(enableThinking: false, mayThink: false),
        Told(variables: ["enable_thinking": false], mayThink: false),
        Told(variables: ["thinking": false], mayThink: false),
        Told(enableThinking: true, variables: ["enable_thinking": false], mayThink: false),
        Told(enableThinking: false, variables: ["enable_thinking": true], mayThink: true),
        Told(enableThinking: false, variables: ["style": "terse"], mayThink: false),
        Told(variables: ["enable_thinking": "no"], mayThink: true),
    ]

    @Test("a constrained answer may begin with a thought unless the template is told otherwise", arguments: told)
    func constrained(told: Told) async throws {
        let engine = LiquidInferenceEngineOptions(bundlePath: "", chatTemplate: Self.template)
        let runner = try #require(try await load(options: engine) as? LiquidInferenceEngineRunner)
        let options = GenerationOptions()
        options.enableThinking = told.enableThinking
        options.templateVariables = told.variables
        #expect(try runner.makeRequest([Self.user], options: options).mayThink == told.mayThink)
    }
}
