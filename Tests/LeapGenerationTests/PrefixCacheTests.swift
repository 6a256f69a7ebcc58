import LeapBlocks
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// A generator with a prefix cache gives the same results as one without, and computes only what is new.
@Suite("Prefix cache")
struct PrefixCacheTests {
    private static let models = ["lfm2-tied-f32", "lfm2-k-quants", "llama-q4_k"].map(Fixture.init)

    @Test("randomly edited prompts give the same answers as without a cache", arguments: models, 0..<3)
    func randomEdits(_ fixture: Fixture, seed: UInt64) throws {
        try expectSameAnswers(try generator(fixture), try generator(fixture, memory: .none), seed)
    }

    @Test(
        "randomly edited prompts give the same answers with every KV cache type", arguments: models.dropFirst(),
        KeyValueType.allCases)
    func randomEdits(_ fixture: Fixture, type: KeyValueType) throws {
        let types = KeyValueTypes(type)
        try expectSameAnswers(
            try generator(fixture, types: types), try generator(fixture, types: types, memory: .none), 20)
    }

    private func expectSameAnswers(_ cached: TokenGenerator, _ plain: TokenGenerator, _ seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        var known: [[Token]] = []
        var prompt = randomTokens(300, &random)
        for _ in 0..<12 {
            let request = request(prompt)
            let (result, expected) = (try cached.generate(request), try plain.generate(request))
            #expect(result.tokens == expected.tokens)
            #expect(result.statistics.cachedPromptTokens == reusable(prompt, known))
            #expect(expected.statistics.cachedPromptTokens == 0)
            let conversation = prompt + result.tokens
            cached.remember(Prompt(conversation))
            known.append(conversation)
            prompt = edited(known[Int.random(in: known.indices, using: &random)], &random)
        }
    }

    @Test("an identical prompt is cached except for its last segment")
    func identical() throws {
        let generator = try generator(Self.models[0])
        var random = SeededRandomNumberGenerator(seed: 3)
        let prompt = randomTokens(2 * StateSegment.length, &random)
        let first = try generator.generate(request(prompt))
        let second = try generator.generate(request(prompt))
        #expect(first.tokens == second.tokens)
        #expect(second.statistics.cachedPromptTokens == StateSegment.length)
    }

    /// How a prompt differs from the previous one: the position, and the number of different tokens from there.
    struct Divergence: CustomStringConvertible {
        let place: Int
        let others: Int
        var description: String { "\(others) others from \(place) on" }
    }

    @Test(
        "a prompt that diverges anywhere, is shorter or is longer gives the same answers as a cold run",
        arguments: models,
        [
            (0, 300), (1, 299), (127, 200), (128, 1), (129, 60), (255, 1), (256, 44), (299, 1), (300, 30), (150, 0),
            (2, 0),
        ]
        .map { Divergence(place: $0.0, others: $0.1) })
    func divergences(_ fixture: Fixture, _ divergence: Divergence) throws {
        let (cached, plain) = (try generator(fixture), try generator(fixture, memory: .none))
        var random = SeededRandomNumberGenerator(seed: 12)
        let first = randomTokens(300, &random)
        _ = try cached.generate(request(first))
        let second = Array(first.prefix(divergence.place)) + randomTokens(divergence.others, &random)
        let (warm, cold) = (try cached.generate(request(second)), try plain.generate(request(second)))
        #expect(warm.tokens == cold.tokens)
        #expect(warm.statistics.cachedPromptTokens >= min(divergence.place, second.count - 1) - 127)
        #expect(try cached.generate(request(first)).tokens == (try plain.generate(request(first)).tokens))
    }

    @Test("a request that does not use the cache neither reads nor writes it")
    func unused() throws {
        let generator = try generator(Self.models[0])
        var random = SeededRandomNumberGenerator(seed: 4)
        var request = request(randomTokens(200, &random))
        request.usesCache = false
        _ = try generator.generate(request)
        request.usesCache = true
        #expect(try generator.generate(request).statistics.cachedPromptTokens == 0)
        request.usesCache = false
        #expect(try generator.generate(request).statistics.cachedPromptTokens == 0)
    }

    @Test("a limit on entries keeps the most recently used ones")
    func entries() throws {
        let generator = try generator(Self.models[0], memory: PrefixCacheLimits(maxEntries: 3))
        var random = SeededRandomNumberGenerator(seed: 5)
        let prompts = (0..<3).map { _ in randomTokens(StateSegment.length + 20, &random) }
        for prompt in prompts { _ = try generator.generate(request(prompt)) }
        // The first is used again, so the new one replaces the second.
        #expect(try cachedTokens(prompts[0], generator) == StateSegment.length)
        #expect(try cachedTokens(randomTokens(StateSegment.length + 20, &random), generator) == 0)
        #expect(try cachedTokens(prompts[0], generator) == StateSegment.length)
        #expect(try cachedTokens(prompts[2], generator) == StateSegment.length)
        #expect(try cachedTokens(prompts[1], generator) == 0)
    }

    @Test("a limit on bytes applies even to a single prompt")
    func bytes() throws {
        let model = try LanguageModel.load(GGUFFile(path: Self.models[0].path))
        let segment = try model.memoryPlan(contextSize: StateSegment.length, Compute()).stateBytes
        let generator = try generator(Self.models[0], memory: PrefixCacheLimits(maxBytes: 2 * segment))
        var random = SeededRandomNumberGenerator(seed: 6)
        let prompt = randomTokens(3 * StateSegment.length + 10, &random)
        _ = try generator.generate(request(prompt))
        #expect(try cachedTokens(prompt, generator) == 2 * StateSegment.length)
    }

    @Test("a prompt cancelled before it is read leaves nothing in the cache")
    func cancelled() throws {
        let generator = try generator(Self.models[0])
        var random = SeededRandomNumberGenerator(seed: 7)
        let prompt = randomTokens(2 * StateSegment.length + 10, &random)
        let flag = CancellationFlag()
        flag.cancel()
        generator.remember(Prompt(prompt), cancellation: flag)
        #expect(try cachedTokens(prompt, generator) == 0)
        #expect(try cachedTokens(prompt, generator) == 2 * StateSegment.length)
    }

    @Test("a prompt cancelled during prefill is cached as far as it was read")
    func cancelledMidway() throws {
        // A model without recurrent layers, whose states are saved at fewer positions.
        let generator = try generator(Self.models[2], chunkSize: StateSegment.length)
        var random = SeededRandomNumberGenerator(seed: 8)
        let prompt = randomTokens(3 * StateSegment.length + 10, &random)
        let flag = CancellationFlag()
        let result = try generator.generate(request(prompt), cancellation: flag) { event in
            if case .promptRead(2 * StateSegment.length, _) = event { flag.cancel() }
        }
        #expect(result.finishReason == .cancelled && result.tokens.isEmpty)
        #expect(try cachedTokens(prompt, generator) == 2 * StateSegment.length)
    }

    private func generator(
        _ fixture: Fixture, types: KeyValueTypes? = nil, memory: PrefixCacheLimits = PrefixCacheLimits(),
        chunkSize: Int = LanguageModel.chunkSize
    ) throws -> TokenGenerator {
        let file = try GGUFFile(path: fixture.path)
        return try TokenGenerator(
            model: LanguageModel.load(file, keyType: types?.keys, valueType: types?.values),
            tokenizer: Tokenizer(metadata: file.metadata), compute: Compute(threads: 1), chunkSize: chunkSize,
            caching: PrefixCacheConfiguration(memory: memory))
    }

    private func request(_ prompt: [Token]) -> GenerationRequest {
        GenerationRequest(
            prompt: Prompt(prompt), sampling: SamplerConfiguration(temperature: 1.5), seed: 9,
            stop: StopCondition(tokens: [], maxTokens: 9))
    }

    private func cachedTokens(_ prompt: [Token], _ generator: TokenGenerator) throws -> Int {
        try generator.generate(request(prompt)).statistics.cachedPromptTokens
    }

    private func randomTokens(_ count: Int, _ random: inout SeededRandomNumberGenerator) -> [Token] {
        (0..<count).map { _ in Token.random(in: 30..<200, using: &random) }
    }

    /// A conversation that was continued, truncated, or changed in the middle.
    private func edited(_ tokens: [Token], _ random: inout SeededRandomNumberGenerator) -> [Token] {
        let kept = Int.random(in: 1...min(tokens.count, 380), using: &random)
        return Array(tokens.prefix(kept)) + randomTokens(Int.random(in: 0...80, using: &random), &random)
    }

    /// Tokens of the longest prefix that a prompt shares with a cached one, in whole segments; the last token of a
    /// prompt is always computed.
    private func reusable(_ prompt: [Token], _ known: [[Token]]) -> Int {
        let common = known.map { zip($0, prompt.dropLast()).prefix { $0 == $1 }.count }.max() ?? 0
        return common / StateSegment.length * StateSegment.length
    }
}
