import Foundation
import LeapSDK
import Testing

/// The snippets of the page on function calling.
@Suite("The page on function calling")
struct FunctionCallingTests {
    @Test("registering a function")
    func register() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation(systemPrompt: nil)
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
        #expect(conversation.functions.map(\.name) == ["get_weather"])
        #expect(conversation.functions.first?.functionDescription == "Query the weather of a city")
        #expect(conversation.functions.first?.parameters.map(\.optional) == [false, false])
    }

    @Test("the payload of function calls")
    func payload() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation(systemPrompt: nil)
        let userMessage = ChatMessage(role: .user, textContent: "What's the weather in NYC?")

        for try await response in conversation.generateResponse(message: userMessage) {
            switch onEnum(of: response) {
            case .functionCalls(let payload):
                for call in payload.functionCalls {
                    print("Function call: \(call.name) \(call.arguments)")
                    // dispatch to your tool implementation
                }
            case .chunk, .reasoningChunk, .audioSample, .complete:
                break
            }
        }
        #expect(conversation.history.count == 2)
    }

    @Test("returning a tool's result")
    func result() async throws {
        let conversation = try await Leap.load(url: modelURL).createConversation(systemPrompt: nil)
        let toolMessage = ChatMessage(
            role: .tool,
            textContent: #"{"temperature":72,"conditions":"sunny"}"#
        )

        let updatedHistory = conversation.history + [toolMessage]
        let nextConversation = conversation.modelRunner.createConversationFromHistory(history: updatedHistory)
        // Continue generation against `nextConversation`.
        let options = GenerationOptions(maxTokens: 4)
        for try await _ in nextConversation.generateResponse(generationOptions: options) {}
        #expect(nextConversation.history.map(\.role) == [.tool, .assistant])
    }

    @Test("parameter types")
    func types() throws {
        let types: [LeapFunctionParameterType] = [
            LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil),
            LeapFunctionParameterType.LeapNum(enumValues: [NSNumber(value: 1.5)], description: nil),
            LeapFunctionParameterType.LeapInt(enumValues: [KotlinInt(value: 3)], description: nil),
            LeapFunctionParameterType.LeapBool(description: nil),
            LeapFunctionParameterType.LeapArr(
                itemType: LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil), description: nil),
            LeapFunctionParameterType.LeapObj(
                properties: ["a": LeapFunctionParameterType.LeapNull()],
                required: ["a"],
                description: nil
            ),
            LeapFunctionParameterType.LeapNull(),
        ]
        #expect(types.count == 7)
    }

    @Test("array and enum parameters")
    func arrayAndEnum() {
        let function =
            LeapFunction(
                name: "get_weather",
                functionDescription: "Query the weather of cities",
                parameters: [
                    LeapFunctionParameter(
                        name: "cities",
                        type: LeapFunctionParameterType.LeapArr(
                            itemType: LeapFunctionParameterType.LeapStr(enumValues: nil, description: nil),
                            description: nil
                        ),
                        parameterDescription: "Names of the cities to query weather for",
                        optional: false
                    ),
                    LeapFunctionParameter(
                        name: "unit",
                        type: LeapFunctionParameterType.LeapStr(
                            enumValues: ["celsius", "fahrenheit"],
                            description: nil
                        ),
                        parameterDescription: "Temperature unit",
                        optional: false
                    ),
                ]
            )
        #expect(function.parameters.first?.parameterDescription == "Names of the cities to query weather for")
    }

    @Test("choosing another parser")
    func parser() async throws {
        let conversation = try await Leap.load(url: modelURL, contextSize: 512).createConversation(systemPrompt: nil)
        let userMessage = ChatMessage(role: .user, textContent: "What's the weather in NYC?")
        var options = GenerationOptions()
        options.functionCallParser = HermesFunctionCallParser()
        for try await response in conversation.generateResponse(
            message: userMessage,
            generationOptions: options
        ) {
            // ...
        }
        options.functionCallParser = nil
        #expect(options.functionCallParser == nil)
    }
}
