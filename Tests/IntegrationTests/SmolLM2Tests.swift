import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapSDK
import LeapTokenizer
import Testing
import _LeapTestSupport

/// A real model, SmolLM2-135M-Instruct in Q4_1, if `scripts/fetch-smollm2` has fetched it.
@Suite(.enabled(if: SmolLM2.path != nil, "scripts/fetch-smollm2 fetches the model"))
struct SmolLM2Tests {
    /// Perplexity of `Fixtures/prose.txt` that llama.cpp computes with the same file, window and definition
    /// (`Fixtures/perplexity.json`).
    static let peerPerplexity = 25.462

    /// Two correct implementations round activations differently.
    static let perplexityTolerance = 0.005

    /// The beginning of llama.cpp's greedy answer to ``question``; the model is too small to answer correctly.
    /// The logits of the two likeliest next words differ by 0.02, less than rounding of activations changes them.
    static let question = "What is the capital of France?"
    static let peerAnswer = "L'Étoile, la"

    @Test("the perplexity of a text matches llama.cpp's")
    func perplexity() throws {
        let file = try GGUFFile(path: #require(SmolLM2.path))
        let model = try LanguageModel.load(file)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let prose = try String(contentsOf: Fixture.folder.appendingPathComponent("prose.txt"), encoding: .utf8)
        let tokens = tokenizer.encode(prose, addSpecial: true, parseSpecial: false)
        let compute = Compute()
        var perplexity = Perplexity(contextSize: 512)
        for window in 0..<tokens.count / 512 {
            try perplexity.add(
                window: tokens[window * 512..<(window + 1) * 512], beginning: nil, model: model, compute: compute)
        }
        #expect(perplexity.count == 510)
        #expect(abs(perplexity.value / Self.peerPerplexity - 1) < Self.perplexityTolerance, "\(perplexity.value)")
    }

    @Test("the greedy answer through the API begins like llama.cpp's")
    func answer() async throws {
        let url = URL(filePath: try #require(SmolLM2.path))
        let runner = try await Leap.load(url: url)
        let conversation = runner.createConversation(systemPrompt: nil)
        var text = ""
        var completion: MessageCompletion?
        let options = GenerationOptions(temperature: 0, repetitionPenalty: 1, maxOutputTokens: 12)
        for try await response in conversation.generateResponse(
            userTextMessage: Self.question, generationOptions: options)
        {
            switch response {
            case .chunk(let chunk): text += chunk
            case .complete(let end): completion = end
            default: Issue.record("\(response)")
            }
        }
        #expect(text.hasPrefix(Self.peerAnswer), "\(text)")
        #expect(completion?.stats?.completionTokens == 12)
        #expect(conversation.history.map(\.role) == [.user, .assistant])
    }
}

/// Where the model file is.
enum SmolLM2 {
    static let path: String? = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? ""
        let caches = [
            environment["LEAP_CACHE"], environment["XDG_CACHE_HOME"].map { $0 + "/leap" }, home + "/.cache/leap",
        ]
        return caches.compactMap { $0.map { $0 + "/SmolLM2-135M-Instruct.Q4_1.gguf" } }
            .first { FileManager.default.fileExists(atPath: $0) }
    }()
}
