import Foundation
import LeapGGUF
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// State computed for a prompt with some adapters is not reused for prompts with others.
@Suite("Adapters and the cache")
struct AdapterCacheTests {
    private static let choices: [[Float]?] = [nil, [0, 0], [1, 0], [1, 1], [0.5, 0]]

    @Test("generations with different scales share a scheduler and cache, and give the same tokens as alone")
    func sharedScheduler() throws {
        let scheduler = try Self.scheduler(scales: [1, 0])
        let requests = Self.choices.flatMap { scales in (0..<2).map { Self.request(scales, seed: $0) } }
        let alone = try requests.map { try Self.answers([$0], in: Self.scheduler(scales: [1, 0]))[0] }
        for _ in 0..<2 {
            let together = try Self.answers(requests, in: scheduler)
            #expect(together.map(\.tokens) == alone.map(\.tokens))
        }
        #expect(Set(alone.map(\.tokens)).count > 4)
    }

    @Test("a cached prompt is reused only with the same scales, explicit or default")
    func keys() throws {
        let scheduler = try Self.scheduler(scales: [1, 0])
        func cached(_ scales: [Float]?) throws -> Int {
            try Self.answers([Self.request(scales, seed: 1)], in: scheduler)[0].statistics.cachedPromptTokens
        }
        #expect(try cached(nil) == 0)
        #expect(try cached([1, 0]) == 2 * StateSegment.length)
        #expect(try cached([1, 0.5]) == 0)
        #expect(try cached([1, 0.5]) == 2 * StateSegment.length)
        #expect(try cached([0, 0]) == 0)
        #expect(try cached(nil) == 2 * StateSegment.length)
    }

    @Test("a remembered conversation is reused only with its own scales")
    func remembered() throws {
        let scheduler = try Self.scheduler(scales: [1, 0])
        let prompt = Self.request([0.5, 1], seed: 4).prompt
        scheduler.remember(prompt)
        while scheduler.hasWork { scheduler.step() }
        for (scales, known) in [([0.5, 1] as [Float], 2), ([1, 0], 0)] {
            let result = try Self.answers([Self.request(scales, seed: 4)], in: scheduler)[0]
            #expect(result.statistics.cachedPromptTokens == known * StateSegment.length)
            let alone = try Self.answers([Self.request(scales, seed: 4)], in: Self.scheduler(scales: [1, 0]))[0]
            #expect(result.tokens == alone.tokens)
        }
    }

    @Test("segments in a cache folder are reused only with the same adapters and scales")
    func folder() throws {
        let folder = try TemporaryFolder()
        func cached(_ names: [String], _ scales: [Float]) throws -> Int {
            let scheduler = try Self.scheduler(names, scales: scales, folder)
            defer { scheduler.flushCache() }
            return try Self.answers([Self.request(nil, seed: 1)], in: scheduler)[0].statistics.cachedPromptTokens
        }
        let all = 2 * StateSegment.length
        let sets: [([String], [Float])] = [
            ([], []), (["all"], [1]), (["some"], [1]), (["all"], [0.5]), (["all", "some"], [1, 1]),
            (["some", "all"], [1, 1]),
        ]
        for (names, scales) in sets {
            #expect(try cached(names, scales) == 0, "\(names) \(scales)")
            #expect(try cached(names, scales) == all, "\(names) \(scales)")
        }
    }

    @Test("scales that do not fit the model are refused")
    func wrongScales() throws {
        let scheduler = try Self.scheduler(scales: [1, 0])
        #expect {
            _ = try scheduler.admit(Self.request([1], seed: 1))
        } throws: { error in
            "\(error)".contains("must be 2 finite numbers, one for each adapter")
        }
    }

    private static func scheduler(
        _ names: [String] = ["all", "some"], scales: [Float], _ folder: TemporaryFolder? = nil
    ) throws -> Scheduler {
        let file = try GGUFFile(path: cachedFixture.path)
        let adapters = try zip(names, scales).map { name, scale in
            let file = try GGUFFile(path: AdapterFixtures.path(name, of: cachedFixture.name))
            return Adapter(try LoRAFile(file), scale: scale)
        }
        let disk = folder.map { folder in
            PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: 100) { [folder] in
                Issue.record("\(folder.url.path): \($0)")
            }
        }
        return try Scheduler(
            model: LanguageModel.load(file, adapters: adapters), tokenizer: Tokenizer(metadata: file.metadata),
            compute: Compute(threads: 1), caching: PrefixCacheConfiguration(disk: disk))
    }

    private static func request(_ scales: [Float]?, seed: UInt64) -> GenerationRequest {
        var request = request(seed: seed)
        request.prompt.adapterScales = scales
        return request
    }

    private static func request(seed: UInt64) -> GenerationRequest { LeapGenerationTests.request(seed: seed) }

    private static func answers(
        _ requests: [GenerationRequest], in scheduler: Scheduler
    ) throws -> [GenerationResult] {
        let generations = try requests.map { try scheduler.admit($0) }
        while scheduler.hasWork { scheduler.step() }
        return try generations.map { try #require($0.outcome).get() }
    }
}
