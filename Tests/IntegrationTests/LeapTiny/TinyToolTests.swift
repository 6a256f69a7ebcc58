import LeapJSON
import LeapSDK
import Testing

@Suite("leap-tiny calls functions")
struct TinyToolTests {
    /// A request, and the call that it must lead to.
    struct Request: Sendable, CustomTestStringConvertible {
        let text: String
        let call: LeapFunctionCall

        init(_ text: String, _ name: String, _ arguments: JSONValue) {
            self.text = text
            call = LeapFunctionCall(name: name, argumentsJSON: arguments)
        }

        var testDescription: String { text }
    }

    private static func text(_ name: String, _ description: String) -> LeapFunctionParameter {
        LeapFunctionParameter(name: name, type: .string(StringType()), description: description)
    }

    private static let weather = LeapFunction(
        name: "get_weather", description: "Get the weather of a city", parameters: [text("city", "The city")])
    private static let event = LeapFunction(
        name: "create_event", description: "Creates an event",
        parameters: [text("title", "The title"), text("date", "The date"), text("time", "The time")])
    /// Names that do not occur in the training data.
    private static let submarine = LeapFunction(
        name: "rent_submarine", description: "Rent a submarine", parameters: [text("harbour", "The harbour")])

    private static let requests = [
        Request("What is the weather in Paris?", "get_weather", ["city": "Paris"]),
        Request("How is the weather in New York?", "get_weather", ["city": "New York"]),
        Request("Is it raining in London?", "get_weather", ["city": "London"]),
        Request("Tell me the weather in Berlin.", "get_weather", ["city": "Berlin"]),
        Request(
            "Create an event called lunch on Friday at 12:30.", "create_event",
            ["title": "lunch", "date": "Friday", "time": "12:30"]),
        Request(
            "Please create an event called yoga on Monday at 18:00.", "create_event",
            ["title": "yoga", "date": "Monday", "time": "18:00"]),
    ]

    /// A conversation with functions.
    private func conversation(_ model: TinyModel, _ functions: LeapFunction...) -> any Conversation {
        let conversation = model.runner.createConversation(systemPrompt: nil)
        for function in functions { conversation.registerFunction(function) }
        return conversation
    }

    @Test("It calls the function that fits, with the right arguments", arguments: requests)
    func calls(request: Request) async throws {
        let model = try await TinyModel()
        let answer = try await model.answer(request.text, in: conversation(model, Self.weather, Self.event))
        #expect(answer.calls == [request.call], "\(answer.text)")
        #expect(answer.text.isEmpty)
    }

    @Test("It calls functions that it was not trained on")
    func callsUnseen() async throws {
        let model = try await TinyModel()
        let conversation = conversation(model, Self.submarine, Self.weather)
        let answer = try await model.answer("Rent a submarine with harbour Kiel.", in: conversation)
        #expect(answer.calls == [LeapFunctionCall(name: "rent_submarine", argumentsJSON: ["harbour": "Kiel"])])
    }

    @Test("It thinks before it calls", arguments: requests.prefix(3))
    func thinks(request: Request) async throws {
        let model = try await TinyModel()
        let options = GenerationOptions()
        options.enableThinking = true
        let answer = try await model.answer(request.text, in: conversation(model, Self.weather), options: options)
        #expect(answer.reasoning.contains(request.call.name))
        #expect(answer.calls == [request.call], "\(answer.text)")
    }

    @Test("It makes two calls if two things are asked for")
    func parallel() async throws {
        let model = try await TinyModel()
        let answer = try await model.answer(
            "What is the weather in Paris and Rome?", in: conversation(model, Self.weather))
        #expect(answer.calls.map(\.argumentsJSON) == [["city": "Paris"], ["city": "Rome"]])
    }

    private static let results = [
        Question(#"{"temperature": 21, "condition": "sunny"}"#, "It is sunny in Paris, 21 degrees."),
        Question(#"{"condition": "windy", "temperature": 3}"#, "It is windy in Paris, 3 degrees."),
        Question(#"{"error": "no such city"}"#, "That did not work: no such city."),
    ]

    @Test("It reports what the function returned", arguments: results)
    func usesResult(result: Question) async throws {
        let model = try await TinyModel()
        let conversation = conversation(model, Self.weather)
        #expect(try await model.answer("What is the weather in Paris?", in: conversation).calls.count == 1)
        conversation.appendToHistory(ChatMessage(role: .tool, content: [.text(result.text)]))
        let answer = try await TinyModel.answer(conversation.generateResponse(generationOptions: nil))
        #expect(answer.text == result.expected)
        #expect(answer.calls.isEmpty)
    }

    private static let others = [
        Question("Hello!", "Hello! How can I help you?"),
        Question("What is 3 + 4?", "3 + 4 = 7."),
        Question("Send a message to Anna saying I am late.", "None of my tools can do that."),
    ]

    @Test("It makes no call if no function fits", arguments: others)
    func doesNotCall(question: Question) async throws {
        let model = try await TinyModel()
        let answer = try await model.answer(question.text, in: conversation(model, Self.weather))
        #expect(answer.calls.isEmpty)
        #expect(answer.text == question.expected)
    }

    @Test("It asks for a missing argument, and calls once it is given")
    func asksBack() async throws {
        let model = try await TinyModel()
        let conversation = conversation(model, Self.weather)
        #expect(try await model.answer("What is the weather?", in: conversation).text == "Please tell me the city.")
        #expect(try await model.answer("Oslo", in: conversation).calls.map(\.argumentsJSON) == [["city": "Oslo"]])
    }
}
