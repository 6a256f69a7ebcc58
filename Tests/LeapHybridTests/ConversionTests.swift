import Foundation
import LeapHybrid
import LeapJSON
import LeapOpenAIClient
import LeapSDK
import Testing
import _LeapHTTPTestSupport

/// The requests that are sent to a server.
@Suite("Conversion", .timeLimit(.minutes(1)))
struct ConversionTests {
    /// The body of the request for the answer to a history.
    private func body(
        _ history: [Message], options: GenerationOptions? = nil, functions: [LeapFunction] = [],
        dialect: RemoteModel.Dialect = .openAI, sendsReasoning: Bool = false
    ) async throws -> JSONValue {
        let server = try await ScriptedServer.streaming()
        let conversation = HybridConversation(
            modelRunner: SilentRunner(),
            remote: server.model(dialect: dialect, sendsReasoning: sendsReasoning) { $0.reasoningEffort = "low" },
            policy: .always(.remote), history: history)
        functions.forEach { conversation.registerFunction($0) }
        _ = try await collect(conversation.generateResponse(generationOptions: options))
        return try JSONValue(parsing: try #require(server.bodies.first))
    }

    private func call(_ name: String) -> LeapFunctionCall { LeapFunctionCall(name: name, argumentsJSON: ["x": 1]) }

    @Test func `Roles, images, audio and reasoning are converted`() async throws {
        let png = Data([0x89, 0x50, 0x4E, 0x47])
        let history = [
            Message(role: .system, textContent: "Be brief."),
            Message(role: .user, content: [.text("What?"), .image(png), .image(Data([1])), .audio(Data([2]))]),
            Message(role: .assistant, content: [.text("A cat.")], reasoningContent: "Hm."),
            Message(role: .user, content: [.text("Su"), .text("re?")]),
        ]
        let without = try await body(history)["messages"]
        #expect(
            without == [
                ["role": "system", "content": "Be brief."],
                [
                    "role": "user",
                    "content": [
                        ["type": "text", "text": "What?"],
                        ["type": "image_url", "image_url": ["url": "data:image/png;base64,iVBORw=="]],
                        ["type": "image_url", "image_url": ["url": "data:image/jpeg;base64,AQ=="]],
                        ["type": "input_audio", "input_audio": ["data": "Ag==", "format": "wav"]],
                    ],
                ],
                ["role": "assistant", "content": "A cat."], ["role": "user", "content": "Sure?"],
            ])
        let with = try await body(history, sendsReasoning: true)["messages"]?.array
        #expect(with?[2] == ["role": "assistant", "content": "A cat.", "reasoning_content": "Hm."])
    }

    @Test(arguments: ["https://example.com/cat.jpg", "HTTPS://example.com/cat.jpg", "file:///tmp/cat.jpg"])
    func `Image URLs and audio formats are sent unchanged`(url: String) async throws {
        let message = Message(role: .user, content: [.image(url: url), .audio(data: Data("ID3".utf8), format: "mp3")])
        let parts = try await body([message])["messages"]?.array?.first?["content"]
        #expect(
            parts == [
                ["type": "image_url", "image_url": ["url": .string(url)]],
                ["type": "input_audio", "input_audio": ["data": "SUQz", "format": "mp3"]],
            ])
    }

    @Test func `WebP images are distinguished from WAV files in the same container format`() async throws {
        let container = Data(Array("RIFF".utf8) + [4, 0, 0, 0])
        let files = [container + Data("WEBPVP8 ".utf8), container + Data("WAVEfmt ".utf8), Data([0x89, 0x50])]
        let message = Message(role: .user, content: files.map { .image($0) })
        let parts = try await body([message])["messages"]?.array?.first?["content"]?.array
        let types = parts?.map { $0["image_url"]?["url"]?.string?.prefix { $0 != ";" } }
        #expect(types == ["data:image/webp", "data:image/jpeg", "data:image/jpeg"])
    }

    @Test func `Calls and results are matched by generated call ids`() async throws {
        let history = [
            Message(role: .user, textContent: "Go"),
            Message(role: .assistant, textContent: "", functionCalls: [call("f"), call("g")]),
            Message(role: .tool, textContent: "1"), Message(role: .tool, textContent: "2"),
            Message(role: .assistant, textContent: "More.", functionCalls: [call("h"), call("i")]),
            Message(role: .tool, textContent: "both"), Message(role: .user, textContent: "Well?"),
        ]
        let messages = try #require(try await body(history)["messages"]?.array)
        let calls = messages.compactMap { $0["tool_calls"]?.array }.flatMap(\.self)
        #expect(calls.map { $0["id"] } == ["call_1_0", "call_1_1", "call_4_0", "call_4_1"])
        #expect(calls.first?["function"] == ["name": "f", "arguments": #"{"x":1}"#])
        #expect(messages[1]["content"] == .null && messages[4]["content"] == "More.")
        let results = messages.filter { $0["role"] == "tool" }
        #expect(results.map { $0["tool_call_id"] } == ["call_1_0", "call_1_1", "call_4_0", "call_4_1"])
        #expect(results.map { $0["content"] } == ["1", "2", "both", ""])
        #expect(messages.last?["role"] == "user")
    }

    @Test func `Options are sent in the fields of the server's dialect`() async throws {
        let options = GenerationOptions(
            temperature: 0.5, topP: 0.25, topK: 7, minP: 0.125, repetitionPenalty: 1.5, rngSeed: .max,
            enableThinking: false, maxOutputTokens: 9, jsonSchemaConstraint: #"{"type":"object"}"#, maxTokens: 8)
        options.stopStrings = ["END"]
        options.frequencyPenalty = 0.5
        let plain = try await body([Message(role: .user, textContent: "a")], options: options)
        #expect(plain["temperature"] == 0.5 && plain["top_p"] == 0.25 && plain["frequency_penalty"] == 0.5)
        #expect(plain["stop"] == ["END"] && plain["seed"] == .integer(.max) && plain["max_completion_tokens"] == 8)
        #expect(plain["response_format"]?["json_schema"]?["schema"] == ["type": "object"])
        #expect(plain["reasoning_effort"] == "low")
        #expect(plain["top_k"] == nil && plain["chat_template_kwargs"] == nil && plain["max_tokens"] == nil)
        let extended = try await body([Message(role: .user, textContent: "a")], options: options, dialect: .extended)
        #expect(extended["top_k"] == 7 && extended["min_p"] == 0.125 && extended["repetition_penalty"] == 1.5)
        #expect(extended["max_tokens"] == 8 && extended["max_completion_tokens"] == nil)
        #expect(extended["chat_template_kwargs"] == ["enable_thinking": false])
    }

    @Test func `Functions are sent as tools`() async throws {
        let function = LeapFunction(
            name: "f", description: "Does.",
            parameters: [LeapFunctionParameter(name: "x", type: .number(NumberType()), description: "A number.")])
        let tools = try await body([Message(role: .user, textContent: "a")], functions: [function])["tools"]
        #expect(tools == [function.toolJSON])
    }
}
