import LeapSDK
import Testing
import _LeapTestSupport

@Suite("FunctionCalling.md")
struct FunctionCallingSnippets {
    private struct WeatherQuery: Decodable {
        var city: String
    }

    private func weather(in city: String) -> String { "\(city): sunny" }

    @Test("a function is registered, called and answered")
    func course() async throws {
        let model = try ScriptedModel(
            "<|tool_call_start|>[get_weather(city='Rome'), get_weather(town=3)]<|tool_call_end|>")
        let parameters = GenerationTimeParameters(samplingParameters: SamplingParameters(temperature: 0))
        let runner = try LiquidInferenceEngineRunner(
            options: .init(bundlePath: model.path), generationTimeParameters: parameters)
        let conversation = runner.createConversation()
        conversation.registerFunction(
            LeapFunction(
                name: "get_weather", description: "Query the weather of a city",
                parameters: [
                    LeapFunctionParameter(name: "city", type: .string(StringType()), description: "The city"),
                    LeapFunctionParameter(
                        name: "unit", type: .string(StringType(enumValues: ["celsius", "fahrenheit"])),
                        description: "Unit of the temperature", optional: true),
                ]))
        let question = ChatMessage(role: .user, textContent: "Weather in Rome?")
        for try await response in conversation.generateResponse(message: question) {
            if case .chunk(let text) = response { print(text, terminator: "") }
        }
        var results: [String] = []
        for call in conversation.history.last?.functionCalls ?? [] {
            let problems = conversation.problems(in: call)
            if problems.isEmpty {
                let query = try call.decodeArguments(as: WeatherQuery.self)
                results.append(weather(in: query.city))
            } else {
                results.append(problems.map(\.description).joined(separator: "; "))
            }
        }
        #expect(
            results == [
                "Rome: sunny", "argument 'city' is missing; unknown argument 'town'; known arguments: 'city', 'unit'",
            ])
        for result in results {
            conversation.appendToHistory(ChatMessage(role: .tool, textContent: result))
        }
        for try await response in conversation.generateResponse(generationOptions: nil) {
            if case .chunk(let text) = response { print(text, terminator: "") }
        }
        #expect(conversation.history.map(\.role) == [.user, .assistant, .tool, .tool, .assistant])

        let loop = FunctionLoop(
            ["get_weather": { call in "sunny, asked with \(call.argumentsJSON.text())" }], roundLimit: 5,
            approves: { call in call.name != "delete_everything" })
        let again = ChatMessage(role: .user, content: [.text("And the weather in Rome?")])
        for try await response in conversation.generateResponse(message: again, running: loop) {
            if case .chunk(let text) = response { print(text, terminator: "") }
        }
        #expect(conversation.history.count > 6)
    }

    @Test("choosing another parser")
    func parser() {
        let options = GenerationOptions()
        options.functionCallParser = HermesFunctionCallParser()
        #expect(options.functionCallParser?.toolCallStartToken == "<tool_call>")
    }
}
