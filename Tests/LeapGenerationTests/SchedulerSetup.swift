import LeapConstraints
import LeapGGUF
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// A model, with helpers to run requests on it.
struct SchedulerSetup {
    let model: LanguageModel
    let tokenizer: Tokenizer
    let compute: Compute

    init(_ fixture: Fixture = Fixture(name: "lfm2-tied-f32"), _ compute: Compute = Compute(threads: 1)) throws {
        let file = try GGUFFile(path: fixture.path)
        model = try LanguageModel.load(file)
        tokenizer = try Tokenizer(metadata: file.metadata)
        self.compute = compute
    }

    /// A constraint whose masks are made on another thread, because there are many ways to parse a text under it.
    static func manyPaths() throws -> Constraint {
        let parts = (0..<12).map { "[\(["a-z", "b-y", "a-m é-ж"][$0 % 3])]{0,500}" }
        return try Constraint(gbnf: "root ::= " + parts.joined(separator: " "))
    }

    func tokens(_ count: Int, seed: UInt64) -> [Token] {
        var random = SeededRandomNumberGenerator(seed: seed)
        return (0..<count).map { _ in Token.random(in: 30..<200, using: &random) }
    }

    /// Random embedding rows.
    func rows(_ count: Int, seed: UInt64) -> [[Float]] {
        var random = SeededRandomNumberGenerator(seed: seed)
        return (0..<count).map { _ in
            (0..<model.configuration.embeddingLength).map { _ in Float.random(in: -0.1...0.1, using: &random) }
        }
    }

    /// One of two images.
    private func media(_ number: Int) -> PromptMedia {
        let rowCount = [37, 130][number]
        return PromptMedia(digest: [UInt8(number)], rowCount: rowCount) { isCancelled in
            isCancelled() ? nil : rows(rowCount, seed: UInt64(number))
        }
    }

    func request(_ prompt: [Token], seed: UInt64 = 0, maxTokens: Int? = 10, sequence: Int? = nil) -> GenerationRequest {
        request(Prompt(prompt), seed: seed, maxTokens: maxTokens, sequence: sequence)
    }

    func request(_ prompt: Prompt, seed: UInt64 = 0, maxTokens: Int? = 10, sequence: Int? = nil) -> GenerationRequest {
        GenerationRequest(
            prompt: prompt, sampling: SamplerConfiguration(temperature: 1.5), seed: seed,
            stop: StopCondition(tokens: [], maxTokens: maxTokens, sequenceLength: sequence))
    }

    func scheduler(
        _ configuration: SchedulerConfiguration = SchedulerConfiguration(),
        memory: PrefixCacheLimits = PrefixCacheLimits()
    ) throws -> Scheduler {
        try Scheduler(
            model: model, tokenizer: tokenizer, compute: compute, configuration,
            caching: PrefixCacheConfiguration(memory: memory))
    }

    func run(_ requests: [GenerationRequest], in scheduler: Scheduler) throws -> [GenerationResult] {
        let generations = try requests.map { try scheduler.admit($0) }
        while scheduler.hasWork { scheduler.step() }
        return try generations.map { try #require($0.outcome).get() }
    }

    /// The result of a request on its own, without the cache or speculation.
    func alone(_ request: GenerationRequest) throws -> GenerationResult {
        var request = request
        (request.usesCache, request.speculates) = (false, false)
        return try TokenGenerator(model: model, tokenizer: tokenizer, compute: compute).generate(request)
    }

    /// A request whose prompt usually shares a prefix with others, and may contain images.
    func randomRequest(_ random: inout SeededRandomNumberGenerator) throws -> GenerationRequest {
        let pictures = max(0, Int.random(in: -2...2, using: &random))
        let start = Int.random(in: 0...(pictures == 0 ? 330 : 60), using: &random)
        var common = Prompt(tokens(start, seed: .random(in: 0...1, using: &random)))
        for _ in 0..<pictures {
            common.append(media(Int.random(in: 0...1, using: &random)))
            common.append(tokens(Int.random(in: 0...30, using: &random), seed: .random(in: 0...1, using: &random)))
        }
        let phrase = tokens(.random(in: 1...9, using: &random), seed: random.next())
        let own = (0...Int.random(in: 0...12, using: &random)).flatMap { _ in phrase }
        var request = request(common + own, seed: random.next(), maxTokens: .random(in: 0...40, using: &random))
        request.sampling = Bool.random(using: &random) ? .greedy : SamplerConfiguration(temperature: 0.8, topK: 40)
        if Bool.random(using: &random) { request.sampling.repetitionPenalty = 0.5 }
        request.usesCache = Int.random(in: 0..<5, using: &random) > 0
        request.speculates = Bool.random(using: &random)
        request.topLogprobs = Bool.random(using: &random) ? 2 : nil
        request.client = ["", "a", "b"].randomElement(using: &random) ?? ""
        if Bool.random(using: &random) { request.prompt.owner = request.client }
        request.isBackground = Int.random(in: 0..<4, using: &random) == 0
        switch Int.random(in: 0..<20, using: &random) {
        case 0...3: request.constraint = try Constraint(regex: "[a-z]{3,30}")
        case 4: request.constraint = try Self.manyPaths()
        default: break
        }
        return request
    }

    func randomScheduler(_ random: inout SeededRandomNumberGenerator) throws -> Scheduler {
        var configuration = SchedulerConfiguration()
        configuration.chunkSize = .random(in: 1...256, using: &random)
        configuration.maxActive = .random(in: 1...20, using: &random)
        configuration.tokenGap = .microseconds(Int.random(in: 0...10_000, using: &random))
        configuration.reservedTokens = .random(in: 1...50, using: &random)
        configuration.clientLead = .microseconds(Int.random(in: 0...10_000, using: &random))
        if Bool.random(using: &random) { configuration.sharedTime = SharedTime(lead: configuration.clientLead) }
        if Bool.random(using: &random) {
            configuration.stateBytes = model.stateBytes(positions: .random(in: 1...2000, using: &random))
        }
        let limits = [PrefixCacheLimits(), PrefixCacheLimits(maxEntries: 1), PrefixCacheLimits(maxEntries: 0)]
        return try scheduler(configuration, memory: limits.randomElement(using: &random) ?? PrefixCacheLimits())
    }
}
