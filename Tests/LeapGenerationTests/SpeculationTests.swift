import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// Speculative decoding changes the cost of an answer, but none of its tokens.
@Suite("Speculation")
struct SpeculationTests {
    private static let models = ["lfm2-tied-f32", "lfm2-k-quants", "llama-q4_k"].map(Fixture.init)

    @Test(
        "an answer is the same with and without speculation, greedy and sampled",
        arguments: models, Kernels.available.map(\.level))
    func sameAnswers(_ fixture: Fixture, level: KernelLevel) throws {
        let file = try GGUFFile(path: fixture.path)
        let generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: Tokenizer(metadata: file.metadata),
            compute: Compute(kernels: Kernels.table(for: level), threads: 2))
        var random = SeededRandomNumberGenerator(seed: 5)
        var accepted = 0
        for (index, sampling) in Self.samplings.enumerated() {
            // A repeated phrase, so that there is something to draft.
            let phrase = (0..<9).map { _ in Token.random(in: 30..<200, using: &random) }
            let prompt = (0..<Int.random(in: 2...30, using: &random)).flatMap { _ in phrase }
            var request = GenerationRequest(
                prompt: Prompt(prompt), sampling: sampling, seed: UInt64(index),
                stop: StopCondition(tokens: [], maxTokens: 150)
            )
            let guessed = try generator.generate(request)
            request.speculates = false
            let plain = try generator.generate(request)
            #expect(guessed.tokens == plain.tokens)
            #expect(guessed.text == plain.text && guessed.finishReason == plain.finishReason)
            #expect(plain.statistics.draftedTokens == 0)
            #expect(guessed.statistics.decodeSteps == plain.statistics.decodeSteps)
            accepted += guessed.statistics.acceptedTokens
        }
        // Greedily, and with a penalty below 1, such models repeat themselves.
        #expect(accepted > 0)
    }

    private static let samplings: [SamplerConfiguration] = [
        .greedy, SamplerConfiguration(temperature: 0, repetitionPenalty: 0.5), SamplerConfiguration(temperature: 0.7),
        SamplerConfiguration(temperature: 1.2, topK: 40, topP: 0.9), SamplerConfiguration(temperature: 3),
        // The candidates of these depend on all tokens sampled before.
        SamplerConfiguration(temperature: 0.3, mirostat: MirostatSettings(version: .v1, target: 0.5)),
        SamplerConfiguration(temperature: 0.3, mirostat: MirostatSettings(version: .v2, target: 0.5)),
        SamplerConfiguration(temperature: 1, typicalP: 0.3, topNSigma: 1),
    ]

    @Test("a full context ends an answer at the same token as without speculation", arguments: [20, 131, 140, 257])
    func fullContext(limit: Int) throws {
        let file = try GGUFFile(path: Self.models[0].path)
        let generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: Tokenizer(metadata: file.metadata),
            compute: Compute(threads: 1), contextLength: limit)
        var request = GenerationRequest(
            prompt: [37, 38, 37, 38, 37, 38], sampling: SamplerConfiguration(temperature: 0, repetitionPenalty: 0.5),
            stop: StopCondition(tokens: []))
        let guessed = try generator.generate(request)
        request.speculates = false
        let plain = try generator.generate(request)
        #expect(guessed.tokens == plain.tokens && guessed.finishReason == .contextFull)
        #expect(guessed.tokens.count == limit - 6)
    }

    // MARK: - Drafts

    @Test("the draft is what followed the latest earlier occurrence of the last three tokens")
    func lookup() {
        var lookup = PromptLookup([1, 2, 3, 4, 5, 1, 2, 3, 6, 7, 8, 1, 2])
        #expect(lookup.draft(4).isEmpty)
        lookup.append(3)
        #expect(lookup.draft(4) == [6, 7, 8, 1])
        #expect(lookup.draft(2) == [6, 7])
        lookup.append(4)
        #expect(lookup.draft(9) == [5, 1, 2, 3, 6, 7, 8, 1, 2])
        lookup.append(9)
        #expect(lookup.draft(4).isEmpty)
    }

    @Test("an immediate repetition is drafted to continue", arguments: 0...5)
    func shortLookups(count: Int) {
        let lookup = PromptLookup([Token](repeating: 7, count: count))
        #expect(lookup.draft(4) == (count > 3 ? [7, 7, 7, 7] : []))
    }

    @Test("drafting stops if it is never right, and is tried again later")
    func givingUp() {
        var length = DraftLength()
        var costs = PassCosts(addedPerRow: 0.2)
        for count in 0...DraftLength.limit { length.learn(drafted: count, accepted: count) }
        #expect(length.best(costs) == DraftLength.limit)
        for _ in 0..<60 where length.best(costs) > 0 { length.learn(drafted: length.best(costs), accepted: 0) }
        #expect(length.best(costs) == 0)
        var tries = 0
        for _ in 0..<2000 {
            let drafted = length.best(costs)
            if drafted == 0 {
                length.recover()
                costs.forget()
            } else {
                length.learn(drafted: drafted, accepted: 0)
                tries += 1
            }
        }
        #expect((2...100).contains(tries))
    }

    @Test("nothing is drafted if another row costs as much as another pass")
    func expensiveRows() {
        var length = DraftLength()
        for _ in 0..<20 { length.learn(drafted: DraftLength.limit, accepted: DraftLength.limit) }
        #expect(length.best(PassCosts(addedPerRow: 1)) == 0)
    }

    @Test("the more answers share a pass, the fewer tokens are drafted for each")
    func sharedPasses() {
        let costs = PassCosts(addedPerRow: 0.2)
        let lengths = (0..<SequenceState.reversibleRows).map {
            DraftLength().best(costs, beside: $0, limit: SequenceState.reversibleRows - 1 - $0)
        }
        #expect(lengths == lengths.sorted(by: >))
        #expect(lengths[0] > 0 && lengths[SequenceState.reversibleRows - 1] == 0)
    }
}

extension PassCosts {
    /// A machine on which a pass takes one second, plus some seconds for every row beyond the first.
    fileprivate init(addedPerRow seconds: Double) {
        self.init()
        for rows in 1...SequenceState.reversibleRows { learn(rows: rows, .seconds(1 + seconds * Double(rows - 1))) }
    }
}
