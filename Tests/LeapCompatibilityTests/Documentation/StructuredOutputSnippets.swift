import Foundation
import LeapSDK
import Testing

@Generatable("A fact about a city")
struct CityFact: Codable {
    @Guide("Name of the city", .maximumLength(8)) let name: String
    @Guide("Whether it is a capital") let isCapital: Bool
}

@Suite("StructuredOutput.md")
struct StructuredOutputSnippets {
    private let question = ChatMessage(role: .user, textContent: "Is the sky blue?")

    @Test("an answer under a JSON Schema")
    func schema() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation()
        let options = GenerationOptions(temperature: 0)
        options.jsonSchemaConstraint = """
            {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
            """
        var json = ""
        for try await response in conversation.generateResponse(message: question, generationOptions: options) {
            if case .chunk(let text) = response { json += text }
        }
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(value?["ok"] is Bool)
    }

    @Test("an answer under a regular expression")
    func expression() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation()
        let options = GenerationOptions(temperature: 0).with(regexConstraint: "(yes|no)")
        for try await _ in conversation.generateResponse(message: question, generationOptions: options) {}
        #expect(["yes", "no"].contains(conversation.history.last?.text))
    }

    @Test("an answer as a value")
    func value() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation()
        let screen = Screen()
        func print(_ text: String) { screen.show(text + "\n") }
        for try await response in conversation.generateResponse(message: question, as: CityFact.self) {
            switch response {
            case .partial(let fact): print(fact.name ?? "…")
            case .complete(let fact, _): print(fact.isCapital ? "A capital" : "No capital")
            case .reasoningChunk: continue
            }
        }
        #expect(screen.text.hasSuffix("capital\n"))
    }

    @Test("a type as the response format")
    func type() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation()
        let options = GenerationOptions(temperature: 0)
        try options.setResponseFormat(type: CityFact.self)
        var json = ""
        for try await response in conversation.generateResponse(message: question, generationOptions: options) {
            if case .chunk(let text) = response { json += text }
        }
        let fact = try JSONDecoder().decode(CityFact.self, from: Data(json.utf8))
        #expect(fact.name.count <= 8)
    }

    @Test("the helper from the page on conversations and generation")
    func helper() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation()
        let user = question
        var options = GenerationOptions(temperature: 0.6, topP: 0.9)
        try options.setResponseFormat(type: CityFact.self)

        for try await response in conversation.generateResponse(
            message: user,
            generationOptions: options
        ) {
            // Handle structured output
        }
        #expect(options.jsonSchemaConstraint == CityFact.jsonSchema())
    }
}
