import Foundation
import LeapSDK
import _LeapTestSupport

/// Loads a fixture. Its file has no chat template, but ChatML tokens.
func load(
    _ name: String = "lfm2-tied-f32", options: LiquidInferenceEngineOptions = .init(bundlePath: "", cpuThreads: 1),
    parameters: GenerationTimeParameters? = nil
) async throws -> any ModelRunner {
    try await Leap.load(
        url: URL(fileURLWithPath: Fixture(name: name).path), options: options, generationTimeParameters: parameters)
}

/// Everything that a stream delivers.
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

/// An answer that takes the whole context.
let endless = GenerationOptions(temperature: 0)
