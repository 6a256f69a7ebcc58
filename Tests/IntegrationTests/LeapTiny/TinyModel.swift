import Foundation
import LeapSDK
import _LeapTestSupport

/// leap-tiny through the API.
struct TinyModel: Sendable {
    /// Its files; the first one is the tool's default.
    static let files = ["leap-tiny-q8_0", "leap-tiny-q4_k_m"]

    let runner: any ModelRunner

    init(_ file: String = files[0]) async throws {
        let path = Fixture(name: "leap-tiny/\(file)").path
        runner = try await Leap.load(
            url: URL(filePath: path), options: LiquidInferenceEngineOptions(bundlePath: path, cpuThreads: 1))
    }

    /// A model's answer.
    struct Answer {
        var text = ""
        var reasoning = ""
        var calls: [LeapFunctionCall] = []
        var message: ChatMessage?
    }

    /// The greedy answer to a question, since the file recommends greedy decoding.
    func answer(
        _ question: String, in conversation: (any Conversation)? = nil, options: GenerationOptions = GenerationOptions()
    ) async throws -> Answer {
        let conversation = conversation ?? runner.createConversation(systemPrompt: nil)
        return try await Self.answer(
            conversation.generateResponse(
                message: ChatMessage(role: .user, content: [.text(question)]), generationOptions: options))
    }

    /// The content of a stream until it ends.
    static func answer(_ stream: AsyncThrowingStream<MessageResponse, any Error>) async throws -> Answer {
        var answer = Answer()
        for try await response in stream {
            switch response {
            case .chunk(let text): answer.text += text
            case .reasoningChunk(let text): answer.reasoning += text
            case .functionCall(let calls): answer.calls += calls
            case .complete(let completion): answer.message = completion.message
            case .audioSample: continue
            }
        }
        // The model writes an empty line between its reasoning and its answer.
        answer.text = answer.text.trimmingCharacters(in: .newlines)
        return answer
    }
}
