import Foundation
import LeapConstraints
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// Reported log probabilities are those of the model, before any change to its logits.
@Suite struct LogprobTests {
    private let file: GGUFFile
    private let tokenizer: Tokenizer
    private let generator: TokenGenerator
    private static let prompt: Prompt = [1, 37, 90]

    init() throws {
        file = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        tokenizer = try Tokenizer(metadata: file.metadata)
        generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: tokenizer, compute: Compute(threads: 1))
    }

    private func generate(_ count: Int?, _ change: (inout GenerationRequest) throws -> Void = { _ in }) throws
        -> GenerationResult
    {
        var request = GenerationRequest(
            prompt: Self.prompt, sampling: SamplerConfiguration(temperature: 1.5), seed: 3,
            stop: StopCondition(tokens: [], maxTokens: 6), routing: .raw)
        request.topLogprobs = count
        try change(&request)
        return try generator.generate(request)
    }

    /// The logarithm of the softmax, computed directly.
    private func expected(after tokens: [Token]) throws -> [Double] {
        let model = try LanguageModel.load(file)
        var batch = Batch(of: .prompt)
        batch.append(tokens: Self.prompt.tokens + tokens, to: try model.makeState(capacity: 64), wantsLogits: true)
        let compute = Compute(threads: 1)
        let row = try withExtendedLifetime(compute) {
            try model.forward(batch, compute) { Array($0[$0.rowCount - 1]) }
        }
        let total = row.reduce(0.0) { $0 + exp(Double($1)) }
        return row.map { Double($0) - log(total) }
    }

    /// The sums of a pass over one token and of one over many are rounded differently.
    private static let tolerance = 1e-4

    /// Compares the reported log probabilities of the sampled tokens with the model's.
    ///
    /// - Returns: All log probabilities of the model before each token.
    @discardableResult
    private func expectModelProbabilities(_ result: GenerationResult) throws -> [[Double]] {
        let logprobs = try #require(result.logprobs)
        #expect(logprobs.map(\.token) == result.tokens)
        return try logprobs.enumerated().map { index, entry in
            let expected = try expected(after: Array(result.tokens.prefix(index)))
            #expect(abs(entry.logprob - expected[Int(entry.token)]) < Self.tolerance)
            return expected
        }
    }

    @Test func `every token has its log probability and those of the most likely tokens`() throws {
        let result = try generate(3)
        let all = try expectModelProbabilities(result)
        for (entry, expected) in zip(try #require(result.logprobs), all) {
            let best = expected.indices.sorted { (expected[$0], -$0) > (expected[$1], -$1) }.prefix(3)
            #expect(entry.alternatives.map { Int($0.token) } == Array(best))
            for alternative in entry.alternatives {
                #expect(abs(alternative.logprob - expected[Int(alternative.token)]) < Self.tolerance)
            }
        }
    }

    @Test func `log probabilities are absent by default, and with 0 cover only the sampled tokens`() throws {
        #expect(try generate(nil).logprobs == nil)
        #expect(try generate(0).logprobs?.allSatisfy { $0.alternatives.isEmpty } == true)
        #expect(try generate(0).tokens == generate(nil).tokens)
    }

    @Test func `biases, penalties and constraints do not change the reported log probabilities`() throws {
        let free = try generate(2)
        let first = try #require(free.logprobs?.first)
        let changed = try generate(2) { request in
            request.sampling.logitBias = [first.alternatives[0].token: -.infinity]
            request.sampling.repetitionPenalty = 2
        }
        #expect(changed.logprobs?.first?.alternatives == first.alternatives)
        #expect(changed.tokens.first != first.alternatives[0].token)
        let constrained = try generate(2) { $0.constraint = try Constraint(regex: "x{20}") }
        #expect(!constrained.text.isEmpty && constrained.text.allSatisfy { $0 == "x" })
        #expect(constrained.logprobs?.first?.alternatives == first.alternatives)
        for result in [changed, constrained] { try expectModelProbabilities(result) }
    }
}
