import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@Suite("Token generator")
struct TokenGeneratorTests {
    /// Two correct implementations may disagree where the best two logits are closer than this, and on all later
    /// tokens.
    private static let decisiveMargin: Float = 0.01

    private static let exactModels = ["lfm2-tied-f32", "llama-tied-f32", "llama-untied-rope-factors-f32"]
        .map(Fixture.init)

    @Test("greedy tokens match those of an independent implementation", arguments: exactModels, [512, 7])
    func greedy(_ fixture: Fixture, chunkSize: Int) throws {
        let setup = try Setup(fixture, chunkSize: chunkSize)
        for prompt in try FixtureReference(of: fixture).prompts {
            let decisive = prompt.margins.prefix { $0 >= Self.decisiveMargin }.count
            let expected = prompt.greedy.prefix(decisive)
            let result = try setup.generate(
                GenerationRequest(
                    prompt: Prompt(prompt.tokens), stop: StopCondition(tokens: [], maxTokens: expected.count)))
            #expect(result.tokens == Array(expected), "\(prompt.name)")
            #expect(result.finishReason == .maxTokens)
        }
    }

    @Test("a generation does not affect later ones")
    func independence() throws {
        let setup = try Setup()
        let request = GenerationRequest(
            prompt: [1, 37, 90], sampling: SamplerConfiguration(temperature: 1.5), seed: 11,
            stop: StopCondition(tokens: [], maxTokens: 20))
        let first = try setup.generate(request)
        let other = try setup.generate(
            GenerationRequest(prompt: [5, 6], stop: StopCondition(tokens: [], maxTokens: 9)))
        let again = try setup.generate(request)
        #expect(first.tokens == again.tokens && first.text == again.text)
        #expect(first.tokens != other.tokens)
    }

    @Test("the seed determines the sampled tokens")
    func seeds() throws {
        let setup = try Setup()
        func tokens(seed: UInt64) throws -> [Token] {
            try setup.generate(
                GenerationRequest(
                    prompt: [37], sampling: SamplerConfiguration(temperature: 2), seed: seed,
                    stop: StopCondition(tokens: [], maxTokens: 20))
            ).tokens
        }
        #expect(try tokens(seed: 1) == tokens(seed: 1))
        #expect(try tokens(seed: 1) != tokens(seed: 2))
    }

    @Test(
        "a scored prompt with a token outside the vocabulary is refused", arguments: [1, 32, 33, 40])
    func scoredOutside(place: Int) throws {
        var tokens = [Token](repeating: 37, count: 48)
        tokens[place] = 1 << 30
        var request = GenerationRequest(prompt: Prompt(tokens), stop: StopCondition(tokens: [], maxTokens: 1))
        request.scoresPrompt = true
        #expect {
            try Setup().generate(request)
        } throws: { error in
            guard case GenerationError.model? = error as? GenerationError else { return false }
            return true
        }
    }

    @Test("a non-finite logit ends the generation with an error", arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(_ weight: Float) throws {
        // The embedding is also the output matrix, so one weight of token 200 affects only that token's logit.
        let fixture = Fixture(name: "llama-tied-f32")
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: fixture.path)))
        let file = try GGUFFile(bytes: bytes, name: "model.gguf")
        let embedding = try #require(file.tensor(named: "token_embd.weight"))
        let offset = embedding.fileOffset + 200 * embedding.dimensions[0] * 4
        withUnsafeBytes(of: weight.bitPattern.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
        let damaged = try GGUFFile(bytes: bytes, name: "model.gguf")
        let generator = try TokenGenerator(
            model: LanguageModel.load(damaged), tokenizer: Tokenizer(metadata: damaged.metadata),
            compute: Compute(threads: 1))
        #expect {
            try generator.generate(GenerationRequest(prompt: [1, 37], stop: StopCondition(tokens: [], maxTokens: 3)))
        } throws: { error in
            guard case GenerationError.notFinite(_, let logit)? = error as? GenerationError else { return false }
            let start = "the model computed the logit \(logit) for token 200, which is not finite"
            return !logit.isFinite && "\(error)".hasPrefix(start)
        }
    }

    @Test("an end token ends the answer and is not part of it")
    func endToken() throws {
        let setup = try Setup()
        let free = try setup.generate(GenerationRequest(prompt: [37], stop: StopCondition(tokens: [], maxTokens: 8)))
        let end = free.tokens[5]
        let expected = Array(free.tokens.prefix { $0 != end })
        let result = try setup.generate(GenerationRequest(prompt: [37], stop: StopCondition(tokens: [end])))
        #expect(result.tokens == expected)
        #expect(result.finishReason == .endOfGeneration)
        #expect(result.statistics.completionTokens == expected.count)
    }

    @Test("a stop string ends the answer in the middle of a token")
    func stopString() throws {
        let setup = try Setup()
        let free = try setup.generate(
            GenerationRequest(prompt: [37], stop: StopCondition(tokens: [], maxTokens: 30), routing: .raw))
        let middle = free.text.index(free.text.startIndex, offsetBy: free.text.count / 2)
        let stop = String(free.text[middle...].prefix(3))
        let expected = try #require(free.text.range(of: stop))
        var emitted = ""
        let result = try setup.generate(
            GenerationRequest(
                prompt: [37], stop: StopCondition(tokens: [], strings: [stop], maxTokens: 30), routing: .raw)
        ) { if case .text(let text) = $0 { emitted += text } }
        #expect(result.finishReason == .stopString(stop))
        #expect(result.text == String(free.text[..<expected.lowerBound]))
        #expect(emitted == result.text)
    }

    private static let limits: [(contextLength: Int?, sequenceLength: Int?)] = [
        (12, nil), (nil, 12), (12, 100), (100, 12),
    ]

    @Test("the answer ends when the context is full", arguments: limits)
    func contextFull(contextLength: Int?, sequenceLength: Int?) throws {
        let setup = try Setup(contextLength: contextLength)
        let stop = StopCondition(tokens: [], sequenceLength: sequenceLength)
        let result = try setup.generate(GenerationRequest(prompt: [37, 38, 39], stop: stop))
        #expect(result.finishReason == .contextFull)
        #expect(result.tokens.count == 9)
        #expect(result.statistics.totalTokens == 12)
    }

    @Test("a token limit of zero or less generates nothing", arguments: [0, -1, Int.min])
    func noTokens(maxTokens: Int) throws {
        let result = try Setup().generate(
            GenerationRequest(prompt: [37], stop: StopCondition(tokens: [], maxTokens: maxTokens)))
        #expect(result.tokens.isEmpty && result.text.isEmpty && result.finishReason == .maxTokens)
    }

    @Test("a cancelled generation ends before its next pass")
    func cancelDuringDecode() throws {
        let flag = CancellationFlag()
        var pieces = 0
        let result = try Setup().generate(
            GenerationRequest(prompt: [37], stop: StopCondition(tokens: [], maxTokens: 100)), cancellation: flag
        ) { _ in
            pieces += 1
            flag.cancel()
        }
        #expect(result.finishReason == .cancelled)
        #expect(pieces <= 2 && result.tokens.count < 10)
    }

    @Test("a generation cancelled before it starts computes nothing")
    func cancelBeforePrefill() throws {
        let flag = CancellationFlag()
        flag.cancel()
        let result = try Setup().generate(
            GenerationRequest(prompt: [37], stop: StopCondition(tokens: [])), cancellation: flag)
        #expect(result.finishReason == .cancelled && result.tokens.isEmpty)
        #expect(result.statistics.timeToFirstToken == .zero)
        #expect(result.statistics.promptTokens == 1 && result.statistics.computedPromptTokens == 0)
    }

    @Test("a generation cancelled during prefill reports the prompt tokens computed so far")
    func cancelAmidPrefill() throws {
        let flag = CancellationFlag()
        let prompt = (0..<40).map { Token(37 + $0) }
        let result = try Setup(contextLength: 100, chunkSize: 8).generate(
            GenerationRequest(prompt: Prompt(prompt), stop: StopCondition(tokens: [])), cancellation: flag
        ) { event in
            if case .promptRead(let tokens, _) = event, tokens >= 16 { flag.cancel() }
        }
        #expect(result.finishReason == .cancelled)
        #expect(result.statistics.promptTokens == 40 && result.statistics.computedPromptTokens == 16)
    }

    @Test("statistics count prompt, answer and passes")
    func statistics() throws {
        let result = try Setup().generate(
            GenerationRequest(prompt: [37, 38, 39, 40], stop: StopCondition(tokens: [], maxTokens: 6)))
        let statistics = result.statistics
        #expect(statistics.promptTokens == 4 && statistics.cachedPromptTokens == 0)
        #expect(statistics.computedPromptTokens == 4)
        #expect(statistics.completionTokens == 6 && statistics.totalTokens == 10)
        #expect(statistics.decodeSteps == 5)
        #expect(statistics.timeToFirstToken > .zero && statistics.prefillTokensPerSecond > 0)
        #expect(statistics.decodeDuration > .zero && statistics.decodeTokensPerSecond > 0)
        #expect(GenerationStatistics().decodeTokensPerSecond == 0)
    }

    @Test("impossible requests are refused with the relevant figures")
    func refused() throws {
        let setup = try Setup(contextLength: 8)
        let stop = StopCondition(tokens: [])
        expect("the prompt has no tokens, so there is nothing to continue.") {
            try setup.generate(GenerationRequest(prompt: [], stop: stop))
        }
        let tooLong =
            "the prompt has 8 tokens, but the context has 8, and the answer needs at least one: "
            + "shorten the prompt or use a larger context."
        expect(tooLong) {
            try setup.generate(GenerationRequest(prompt: Prompt([Token](repeating: 1, count: 8)), stop: stop))
        }
        expect("the temperature must be a number, found nan.") {
            try setup.generate(
                GenerationRequest(prompt: [1], sampling: SamplerConfiguration(temperature: .nan), stop: stop))
        }
        expect("token 100000 is not in the vocabulary, whose ids are 0 to 386") {
            try setup.generate(GenerationRequest(prompt: [100_000], stop: stop))
        }
        expect("the prefill chunk size must be at least 1, found 0.") { try Setup(chunkSize: 0) }
        let context = "the requested context is 1000000000 tokens, but must be 1 to"
        expect(prefix: context) { try Setup(contextLength: 1_000_000_000) }
    }

    private func expect<Result>(_ text: String, _ body: () throws -> Result) {
        #expect {
            _ = try body()
        } throws: {
            "\($0)" == text && $0.localizedDescription == text
        }
    }

    private func expect<Result>(prefix: String, _ body: () throws -> Result) {
        #expect {
            _ = try body()
        } throws: {
            "\($0)".hasPrefix(prefix)
        }
    }
}

/// A generator on a fixture.
private struct Setup {
    let generator: TokenGenerator

    init(
        _ fixture: Fixture = Fixture(name: "lfm2-tied-f32"), contextLength: Int? = nil, chunkSize: Int = 512
    ) throws {
        let file = try GGUFFile(path: fixture.path)
        generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: Tokenizer(metadata: file.metadata),
            compute: Compute(threads: 1),
            contextLength: contextLength, chunkSize: chunkSize)
    }

    func generate(
        _ request: GenerationRequest, cancellation: CancellationFlag = CancellationFlag(),
        emit: (GenerationEvent) -> Void = { _ in }
    ) throws -> GenerationResult {
        try generator.generate(request, cancellation: cancellation, emit: emit)
    }
}
