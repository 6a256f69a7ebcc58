import Foundation
import LeapBlocks
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// The default model of these tests.
let cachedFixture = Fixture(name: "lfm2-tied-f32")

/// A generator that caches prompts in a folder, and records an issue if it cannot.
func generator(
    _ folder: TemporaryFolder, model path: String = cachedFixture.path, memory: PrefixCacheLimits = PrefixCacheLimits(),
    maxEntries: Int = 100, maxBytes: Int = .max, smallModelSize: Int? = nil, kernels: KernelTable? = nil,
    types: KeyValueTypes? = nil
) throws -> TokenGenerator {
    // Keeps the folder alive, as the store may still be writing when the test ends.
    var disk = PrefixCacheConfiguration.Disk(path: folder.url.path, maxEntries: maxEntries, maxBytes: maxBytes) {
        [folder] in Issue.record("\(folder.url.path): \($0)")
    }
    if let smallModelSize { disk.smallModelSize = smallModelSize }
    return try generator(disk, model: path, memory: memory, kernels: kernels, types: types)
}

/// A generator that caches prompts on a given disk.
func generator(
    _ disk: PrefixCacheConfiguration.Disk, model path: String = cachedFixture.path,
    memory: PrefixCacheLimits = PrefixCacheLimits(), kernels: KernelTable? = nil, types: KeyValueTypes? = nil
) throws -> TokenGenerator {
    let file = try GGUFFile(path: path)
    return try TokenGenerator(
        model: LanguageModel.load(file, keyType: types?.keys, valueType: types?.values),
        tokenizer: Tokenizer(metadata: file.metadata), compute: Compute(kernels: kernels, threads: 1),
        caching: PrefixCacheConfiguration(memory: memory, disk: disk))
}

/// A request with a prompt of some segments and 20 more tokens, behind those of a beginning that it shares with others.
func request(seed: UInt64, segments: Int = 2, behind beginning: [Token] = []) -> GenerationRequest {
    var random = SeededRandomNumberGenerator(seed: seed)
    let rest = (0..<segments * StateSegment.length + 20).map { _ in Token.random(in: 30..<200, using: &random) }
    return GenerationRequest(
        prompt: Prompt(beginning + rest), sampling: SamplerConfiguration(temperature: 1.5), seed: 9,
        stop: StopCondition(tokens: [], maxTokens: 5))
}
