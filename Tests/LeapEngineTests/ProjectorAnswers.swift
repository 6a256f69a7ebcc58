import Foundation
import LeapGeneration

@testable import LeapEngine

/// Conversations about media with a trained model and its projector, and the reference implementation's answers:
/// `NAME-answers.json` in a folder NAME of `Fixtures/`.
struct ProjectorAnswers<Case: Decodable & Sendable>: Decodable, Sendable {
    private let model: String
    private let projector: String
    let cases: [Case]

    init(in folder: URL) throws {
        let file = folder.appending(path: folder.lastPathComponent + "-answers.json")
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
    }

    /// How to load the model, which is in the same folder.
    func options(in folder: URL) -> ModelOptions {
        var options = ModelOptions(path: folder.appending(path: model).path)
        options.projectorPath = folder.appending(path: projector).path
        options.contextSize = 4096
        return options
    }
}

/// A request for the most likely answer.
func greedy(_ messages: [Message]) -> ChatRequest {
    var options = AnswerOptions()
    options.sampling.temperature = 0
    options.maxTokens = 32
    return ChatRequest(messages, options)
}
