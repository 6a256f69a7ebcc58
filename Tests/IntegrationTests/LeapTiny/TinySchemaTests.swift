import Foundation
import LeapSDK
import Testing
import _LeapProcessTestSupport
import _LeapTestSupport

@Suite("leap-tiny fills in JSON")
struct TinySchemaTests {
    /// What the schema describes.
    struct Person: Codable, Hashable, Sendable {
        let name: String
        let age: Int
        let city: String
    }

    private static let schema = """
        {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, \
        "city": {"type": "string"}}, "required": ["name", "age", "city"]}
        """

    /// A sentence, and the person that it describes.
    struct Sentence: Sendable, CustomTestStringConvertible {
        let text: String
        let person: Person
        var testDescription: String { text }
    }

    private static let sentences = [
        Sentence(
            text: "Anna is 31 years old and lives in Paris.", person: Person(name: "Anna", age: 31, city: "Paris")),
        Sentence(text: "Hugo is aged 7 and comes from Oslo.", person: Person(name: "Hugo", age: 7, city: "Oslo")),
        Sentence(
            text: "Mia lives in New York and is 58 years old.", person: Person(name: "Mia", age: 58, city: "New York")),
    ]

    private func person(in text: String) throws -> Person {
        try JSONDecoder().decode(Person.self, from: Data(text.utf8))
    }

    @Test("It fills a schema with constrained generation", arguments: sentences)
    func constrained(sentence: Sentence) async throws {
        let options = GenerationOptions(jsonSchemaConstraint: Self.schema)
        let answer = try await TinyModel().answer(sentence.text, options: options)
        #expect(try person(in: answer.text) == sentence.person, "\(answer.text)")
    }

    @Test("It fills a schema that is only given in the prompt", arguments: sentences)
    func prompted(sentence: Sentence) async throws {
        let model = try await TinyModel()
        let conversation = model.runner.createConversation(
            systemPrompt: "Answer with JSON that satisfies this JSON Schema:\n" + Self.schema)
        let answer = try await model.answer(sentence.text, in: conversation)
        #expect(try person(in: answer.text) == sentence.person, "\(answer.text)")
    }

    @Test("It thinks before it fills a schema", arguments: sentences.prefix(1))
    func thinks(sentence: Sentence) async throws {
        let options = GenerationOptions(jsonSchemaConstraint: Self.schema)
        options.enableThinking = true
        let answer = try await TinyModel().answer(sentence.text, options: options)
        #expect(answer.reasoning == "The fields are name, age, city.")
        #expect(try person(in: answer.text) == sentence.person, "\(answer.text)")
    }

    @Test("leap run fills a schema", arguments: sentences)
    func tool(sentence: Sentence) async throws {
        let outcome = try await Tool.leap.run(["run", "--json-schema", Self.schema, "-p", sentence.text])
        #expect(outcome.status == ExitStatus.success, "\(outcome.errorText)")
        #expect(try person(in: outcome.text) == sentence.person, "\(outcome.text)")
    }
}
