import Foundation
import LeapSDK
import Testing
import _LeapTestSupport

/// Loads a fixture. Its file has no chat template, but ChatML tokens.
func load(
    _ name: String = "lfm2-tied-f32", options: LiquidInferenceEngineOptions = .init(bundlePath: "", cpuThreads: 1),
    parameters: GenerationTimeParameters? = nil
) async throws -> any ModelRunner {
    try await Leap.load(
        url: URL(fileURLWithPath: Fixture(name: name).path), options: options, generationTimeParameters: parameters)
}

/// All responses of a stream.
func collect(_ stream: AsyncThrowingStream<MessageResponse, any Error>) async throws -> [MessageResponse] {
    var responses: [MessageResponse] = []
    for try await response in stream { responses.append(response) }
    return responses
}

extension [MessageResponse] {
    /// The text of all chunks.
    var text: String { compactMap { if case .chunk(let text) = $0 { text } else { nil } }.joined() }

    /// The text of all reasoning chunks.
    var reasoning: String { compactMap { if case .reasoningChunk(let text) = $0 { text } else { nil } }.joined() }

    /// The completion, if it is the last response.
    var completion: MessageCompletion? {
        if case .complete(let completion) = last { completion } else { nil }
    }
}

/// Short answers that are the same every time.
let short = GenerationOptions(temperature: 0, maxOutputTokens: 8)

/// An answer that goes on for as long as the context allows: a penalty below 1 makes the model repeat itself.
let endless = GenerationOptions(temperature: 0, repetitionPenalty: 0.5)

/// A fixture whose context is so large that an ``endless`` answer has to be stopped.
func loadEndless() async throws -> any ModelRunner { try await loadChanged(extendContext) }

/// Sets the context length of the changed fixture to 2^20 tokens.
func extendContext(_ data: inout Data) throws {
    // The key is followed by the value's type and the value, 4 bytes each.
    let key = try #require(data.range(of: Data("lfm2.context_length".utf8)))
    let value = key.upperBound + 4..<key.upperBound + 8
    data.replaceSubrange(value, with: withUnsafeBytes(of: UInt32(1 << 20).littleEndian) { Data($0) })
}

/// A fixture in which some names are replaced by others of the same length.
func load(
    renaming names: [(old: String, new: String)], options: LiquidInferenceEngineOptions = .init(bundlePath: "")
) async throws -> any ModelRunner {
    try await loadChanged(options: options) { data in
        for (old, new) in names {
            let place = try #require(data.range(of: Data(old.utf8)))
            data.replaceSubrange(place, with: Data(new.utf8))
        }
    }
}

private func loadChanged(
    options: LiquidInferenceEngineOptions = .init(bundlePath: ""), _ change: (inout Data) throws -> Void
) async throws -> any ModelRunner {
    let folder = try TemporaryFolder()
    let path = try changedFixture(in: folder, change)
    return try await Leap.load(url: URL(fileURLWithPath: path), options: options)
}

/// Writes a changed copy of the fixture `lfm2-tied-f32` and returns its path.
func changedFixture(in folder: TemporaryFolder, _ change: (inout Data) throws -> Void) throws -> String {
    var data = try Data(contentsOf: URL(fileURLWithPath: Fixture(name: "lfm2-tied-f32").path))
    try change(&data)
    return try folder.write("changed.gguf", data)
}

/// A custom runner that delivers the responses that a script returns for a conversation.
struct ScriptedRunner: ModelRunner, GenerationHandler {
    let script: @Sendable (_ conversation: any Conversation, _ options: GenerationOptions?) -> [MessageResponse]

    var modelId: String { "script" }

    func createConversation(systemPrompt: String?) -> any Conversation { Conversation(modelRunner: self, history: []) }

    func createConversationFromHistory(history: [ChatMessage]) -> any Conversation {
        Conversation(modelRunner: self, history: history)
    }

    func generateResponse(
        conversation: any Conversation, generationOptions: GenerationOptions?,
        onResponseCallback: @escaping (MessageResponse) -> Void, onErrorCallback: ((LeapError) -> Void)?
    ) -> any GenerationHandler {
        for response in script(conversation, generationOptions) { onResponseCallback(response) }
        return self
    }

    func unload() async {}
    func stop() {}
}
