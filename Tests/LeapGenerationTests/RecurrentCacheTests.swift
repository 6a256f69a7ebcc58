import Foundation
import LeapBlocks
import LeapGGUF
@testable import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// In models with recurrent layers, a sequence can be continued only after segments with a saved recurrent state.
@Suite("Prefix cache of recurrent models")
struct RecurrentCacheTests {
    private static let fixture = Fixture(name: "qwen35-f32")
    private static let length = StateSegment.length

    @Test("an extended prompt is cached up to the last segment of the previous one")
    func shouldContinue() throws {
        let (cached, plain) = (try generator(), try generator(memory: .none))
        var random = SeededRandomNumberGenerator(seed: 1)
        let first = randomTokens(300, &random)
        let second = first + randomTokens(90, &random)
        for (prompt, known) in [(first, 0), (second, 2), (first, 2), (second, 3)] {
            let result = try cached.generate(request(prompt))
            #expect(result.statistics.cachedPromptTokens == known * Self.length)
            #expect(result.tokens == (try plain.generate(request(prompt)).tokens))
        }
    }

    @Test("a prompt that branches off before a saved state continues from the previous one")
    func branches() throws {
        let (cached, plain) = (try generator(), try generator(memory: .none))
        var random = SeededRandomNumberGenerator(seed: 2)
        let first = randomTokens(440, &random)
        _ = try cached.generate(request(first))
        let other = Array(first.prefix(300)) + randomTokens(60, &random)
        let third = Array(first.prefix(270)) + randomTokens(20, &random)
        // The second saves a state at 256, which the third finds.
        for (prompt, known) in [(other, 0), (third, 2), (first, 3)] {
            let result = try cached.generate(request(prompt))
            #expect(result.statistics.cachedPromptTokens == known * Self.length)
            #expect(result.tokens == (try plain.generate(request(prompt)).tokens))
        }
    }

    @Test("randomly edited prompts give the same answers as without a cache")
    func randomEdits() throws {
        var found = 0
        for seed in 0..<4 as Range<UInt64> {
            let (cached, plain) = (try generator(), try generator(memory: .none))
            var random = SeededRandomNumberGenerator(seed: seed)
            var known: [[Token]] = []
            var prompt = randomTokens(300, &random)
            for _ in 0..<12 {
                let result = try cached.generate(request(prompt))
                #expect(result.tokens == (try plain.generate(request(prompt)).tokens))
                found += result.statistics.cachedPromptTokens
                let conversation = prompt + result.tokens
                cached.remember(Prompt(conversation))
                known.append(conversation)
                let base = known[Int.random(in: known.indices, using: &random)]
                let kept = Int.random(in: 1...min(base.count, 380), using: &random)
                prompt = Array(base.prefix(kept)) + randomTokens(Int.random(in: 0...80, using: &random), &random)
            }
        }
        #expect(found > 0)
    }

    @Test("a cache folder keeps segments with and without a saved state across restarts")
    func folder() throws {
        let folder = try TemporaryFolder()
        let path = Self.fixture.path
        var random = SeededRandomNumberGenerator(seed: 3)
        let prompt = randomTokens(300, &random)
        let first = try LeapGenerationTests.generator(folder, model: path)
        let expected = try first.generate(request(prompt)).tokens
        first.flushCache()
        let files = try folder.content.filter { $0.hasSuffix(".kv") }
        let sizes = try files.map { try Data(contentsOf: URL(filePath: folder.path($0))).count }
        #expect(Set(sizes).count == 2)
        let second = try LeapGenerationTests.generator(folder, model: path)
        let result = try second.generate(request(prompt))
        #expect(result.statistics.cachedPromptTokens == 2 * Self.length && result.tokens == expected)
    }

    @Test("a file with a saved state is not replaced by one without")
    func keptEnd() throws {
        let folder = try TemporaryFolder()
        let path = Self.fixture.path
        var random = SeededRandomNumberGenerator(seed: 5)
        let tokens = randomTokens(440, &random)
        let first = try LeapGenerationTests.generator(folder, model: path)
        _ = try first.generate(request(Array(tokens.prefix(300))))
        first.flushCache()
        // Without its first segment, the prompt is computed anew, and as part of a longer one it is saved elsewhere.
        let smallest = try folder.content.min { try size(of: $0, in: folder) < size(of: $1, in: folder) }
        try FileManager.default.removeItem(atPath: folder.path(try #require(smallest)))
        let second = try LeapGenerationTests.generator(folder, model: path)
        #expect(try second.generate(request(tokens)).statistics.cachedPromptTokens == 0)
        second.flushCache()
        let third = try LeapGenerationTests.generator(folder, model: path)
        let result = try third.generate(request(Array(tokens.prefix(300))))
        #expect(result.statistics.cachedPromptTokens == 2 * Self.length)
    }

    private func size(of name: String, in folder: TemporaryFolder) throws -> Int {
        try Data(contentsOf: URL(filePath: folder.path(name))).count
    }

    @Test("a saved state that was evicted from memory is found in the folder")
    func endInFolder() throws {
        let folder = try TemporaryFolder()
        let model = try LanguageModel.load(GGUFFile(path: Self.fixture.path))
        let state = try model.makeState(capacity: 512)
        let memory = PrefixCacheLimits(maxBytes: 2 * state.segmentByteCount + state.endlessSegmentByteCount)
        let cached = try LeapGenerationTests.generator(folder, model: Self.fixture.path, memory: memory)
        let plain = try generator(memory: .none)
        var random = SeededRandomNumberGenerator(seed: 4)
        let tokens = randomTokens(420, &random)
        for count in [150, 280, 420] { _ = try cached.generate(request(Array(tokens.prefix(count)))) }
        cached.flushCache()
        for (count, known) in [(150, 1), (420, 3), (280, 2)] {
            let prompt = Array(tokens.prefix(count))
            let result = try cached.generate(request(prompt))
            #expect(result.statistics.cachedPromptTokens == known * Self.length)
            #expect(result.tokens == (try plain.generate(request(prompt)).tokens))
        }
    }

    @Test("with little memory, inner saved states are evicted before segments that lead to the newest")
    func shortMemory() throws {
        let model = try LanguageModel.load(GGUFFile(path: Self.fixture.path))
        let state = try model.makeState(capacity: 512)
        let (ended, endless) = (state.segmentByteCount, state.endlessSegmentByteCount)
        // Room for three segments and two saved states.
        let cached = try generator(memory: PrefixCacheLimits(maxBytes: 2 * ended + endless))
        var random = SeededRandomNumberGenerator(seed: 4)
        let tokens = randomTokens(420, &random)
        for count in [150, 280, 420] { _ = try cached.generate(request(Array(tokens.prefix(count)))) }
        func known(_ prompt: [Token]) throws -> Int {
            try cached.generate(request(prompt)).statistics.cachedPromptTokens / Self.length
        }
        // The oldest saved state is gone, but not its segment, which leads to the others.
        #expect(try known(tokens) == 3)
        #expect(try known(Array(tokens.prefix(290))) == 2)
    }

    @Test("states are saved about every 512 positions, wherever passes begin, and at the last segment")
    func savedPositions() {
        func kept(_ count: Int, passes: [Int]) -> [Int] {
            let prompt = Prompt([Token](repeating: 40, count: count))
            return zip(passes, passes.dropFirst()).filter { prompt.savesRecurrentState(at: $1, from: $0) }.map(\.1)
        }
        #expect(kept(2000, passes: [0, 256, 512, 768, 1024, 1280, 1536, 1792, 1920]) == [512, 1024, 1536, 1920])
        #expect(kept(1300, passes: [384, 640, 896, 1152, 1280]) == [640, 1152, 1280])
        #expect(kept(256, passes: [0, 128, 256]) == [256] && kept(384, passes: [0, 128, 256]) == [])
    }

    private func generator(memory: PrefixCacheLimits = PrefixCacheLimits()) throws -> TokenGenerator {
        let file = try GGUFFile(path: Self.fixture.path)
        return try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: Tokenizer(metadata: file.metadata),
            compute: Compute(threads: 1), caching: PrefixCacheConfiguration(memory: memory))
    }

    private func request(_ prompt: [Token]) -> GenerationRequest {
        GenerationRequest(
            prompt: Prompt(prompt), sampling: SamplerConfiguration(temperature: 1.5), seed: 9,
            stop: StopCondition(tokens: [], maxTokens: 9))
    }

    private func randomTokens(_ count: Int, _ random: inout SeededRandomNumberGenerator) -> [Token] {
        (0..<count).map { _ in Token.random(in: 30..<200, using: &random) }
    }
}
