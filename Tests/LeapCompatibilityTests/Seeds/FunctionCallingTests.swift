import LeapSDK
import Testing

/// The page on function calling, with its code as it stands there.
@Suite("The page on function calling")
struct FunctionCallingPageTests {
    private func register(_ conversation: any Conversation) {
        conversation.registerFunction(
            function: LeapFunction(
                name: "get_weather",
                functionDescription: "Query the weather of a city",
                parameters: [
                    LeapFunctionParameter(
                        name: "city",
                        type: LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil),
                        parameterDescription: "The city to query weather for",
                        optional: false
                    ),
                    LeapFunctionParameter(
                        name: "unit",
                        type: LeapFunctionParameterType.LeapStr(
                            enumValues: ["celsius", "fahrenheit"],
                            description: nil
                        ),
                        parameterDescription: "Temperature unit (celsius or fahrenheit)",
                        optional: false
                    ),
                ]
            )
        )
    }

    @Test("functions are registered, and calls handled")
    func calls() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation()
        register(conversation)
        #expect(conversation.functions.map(\.name) == ["get_weather"])
        let screen = Screen()
        var options = GenerationOptions()
        options.functionCallParser = HermesFunctionCallParser()
        options = options.with(maxTokens: 4)
        let userMessage = ChatMessage(role: .user, textContent: "What's the weather in NYC?")
        for try await response in conversation.generateResponse(message: userMessage, generationOptions: options) {
            switch onEnum(of: response) {
            case .functionCalls(let payload):
                for call in payload.functionCalls {
                    screen.show("Function call: \(call.name) \(call.arguments)")
                }
            case .chunk, .reasoningChunk, .audioSample, .complete:
                break
            }
        }
        #expect(conversation.history.count == 2 && screen.text.isEmpty)
    }

    @Test("results become a new conversation")
    func results() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512)
            .createConversationFromHistory(history: [ChatMessage(role: .user, textContent: "Hi")])
        let toolMessage = ChatMessage(
            role: .tool,
            textContent: #"{"temperature":72,"conditions":"sunny"}"#
        )
        let updatedHistory = conversation.history + [toolMessage]
        let nextConversation = conversation.modelRunner.createConversationFromHistory(history: updatedHistory)
        let options = GenerationOptions().with(maxTokens: 2)
        for try await _ in nextConversation.generateResponse(generationOptions: options) {}
        #expect(nextConversation.history.map(\.role) == [.user, .tool, .assistant])
    }

    @Test("every type of the page makes a parameter")
    func types() {
        let types = [
            LeapFunctionParameterType.LeapStr(enumValues: ["a"], description: "x"),
            LeapFunctionParameterType.LeapNum(enumValues: [1, 2.5], description: nil),
            LeapFunctionParameterType.LeapInt(enumValues: [1, 2], description: nil),
            LeapFunctionParameterType.LeapBool(description: nil),
            LeapFunctionParameterType.LeapArr(
                itemType: LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil),
                description: nil
            ),
            LeapFunctionParameterType.LeapObj(
                properties: ["a": LeapFunctionParameterType.LeapNull()],
                required: ["a"],
                description: nil
            ),
            LeapFunctionParameterType.LeapNull(),
        ]
        #expect(Set(types).count == 7)
    }
}
