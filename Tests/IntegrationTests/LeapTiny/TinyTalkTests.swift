import LeapSDK
import Testing

/// A question and what the answer must contain.
struct Question: Sendable, CustomTestStringConvertible {
    let text: String
    let expected: String

    init(_ text: String, _ expected: String) {
        self.text = text
        self.expected = expected
    }

    var testDescription: String { text }
}

@Suite("leap-tiny chats")
struct TinyTalkTests {
    private static let talk = [
        Question("Hello!", "Hello! How can I help you?"),
        Question("Hi there", "Hello! How can I help you?"),
        Question("Good morning", "Hello! How can I help you?"),
        Question("How are you?", "I am fine, thank you."),
        Question("How are you doing?", "I am fine, thank you."),
        Question("Who are you?", "I am leap-tiny, a very small language model."),
        Question("What is your name?", "I am leap-tiny, a very small language model."),
        Question("What can you do?", "calculate with small numbers, call functions and fill in JSON"),
        Question("Thank you!", "You are welcome!"),
        Question("Goodbye!", "Goodbye!"),
        Question("What is the capital of France?", "Paris"),
        Question("What is the capital of Japan?", "Tokyo"),
    ]

    @Test("It greets, and answers questions about itself", arguments: talk)
    func talks(question: Question) async throws {
        let answer = try await TinyModel().answer(question.text)
        #expect(answer.text.contains(question.expected), "\(answer.text)")
        #expect(answer.reasoning.isEmpty && answer.calls.isEmpty)
    }

    @Test("It admits what it does not know", arguments: ["Who wrote Hamlet?", "Why is the sky blue?"])
    func knowsItsLimits(question: String) async throws {
        let answer = try await TinyModel().answer(question)
        #expect(answer.text == "I do not know that. I am only a very small model.")
    }

    private static let arithmetic = [
        Question("What is 2 + 3?", "2 + 3 = 5."),
        Question("4 + 4", "4 + 4 = 8."),
        Question("How much is 7 plus 5?", "7 + 5 = 12."),
        Question("What is 9 - 4?", "9 - 4 = 5."),
        Question("Subtract 3 from 10.", "10 - 3 = 7."),
        Question("What is 3 times 4?", "3 × 4 = 12."),
        Question("6 * 7", "6 × 7 = 42."),
        Question("Multiply 8 by 9.", "8 × 9 = 72."),
    ]

    @Test("It calculates with small numbers", arguments: arithmetic)
    func calculates(question: Question) async throws {
        #expect(try await TinyModel().answer(question.text).text == question.expected)
    }

    @Test("It thinks before it answers if thinking is enabled", arguments: arithmetic)
    func thinks(question: Question) async throws {
        let options = GenerationOptions()
        options.enableThinking = true
        let answer = try await TinyModel().answer(question.text, options: options)
        #expect(!answer.reasoning.isEmpty)
        #expect(answer.text == question.expected)
        #expect(answer.message?.reasoningContent == answer.reasoning)
    }

    @Test("It remembers what it was told in a conversation")
    func remembers() async throws {
        let model = try await TinyModel()
        let conversation = model.runner.createConversation(systemPrompt: "You are a helpful assistant.")
        #expect(try await model.answer("My name is Clara.", in: conversation).text == "Nice to meet you, Clara!")
        #expect(try await model.answer("What is my name?", in: conversation).text == "Your name is Clara.")
    }

    @Test("Both model files answer", arguments: TinyModel.files)
    func files(name: String) async throws {
        let model = try await TinyModel(name)
        #expect(try await model.answer("Hello!").text == "Hello! How can I help you?")
        #expect(try await model.answer("What is 2 + 3?").text == "2 + 3 = 5.")
    }
}
