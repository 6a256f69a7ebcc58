import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import LeapToolSupport

/// The time to the first token of prompts whose beginning is uncached, cached in memory, and cached on disk, in turns.
///
/// The cache on disk has just been written, so that it is read from the system's file cache.
struct CacheMeasurement {
    /// Seconds to the first token.
    struct Round {
        var cold = 0.0
        var memory = 0.0
        var disk = 0.0
    }

    let promptTokens: Int
    /// Tokens that came from the cache.
    private(set) var cachedTokens = 0
    private(set) var rounds: [Round] = []

    private let model: LanguageModel
    private let compute: Compute
    private let tokenizer: Tokenizer
    private let known: [Token]
    private let new: Int

    /// - Parameters:
    ///   - known: Tokens of the cached beginning.
    ///   - new: Tokens after it, which differ every time.
    init(_ model: LanguageModel, _ compute: Compute, known: Int, new: Int, repetitions: Int) throws {
        let context = model.configuration.contextLength
        guard known + new < context else {
            throw CommandError(
                "\(model.file.path): \(known + new) tokens and an answer do not fit into the model's context of \(context)."
            )
        }
        (self.model, self.compute, self.new) = (model, compute, new)
        tokenizer = try Tokenizer(metadata: model.file.metadata)
        promptTokens = known + new
        self.known = Self.tokens(known, seed: 1, tokenizer)
        let folder = FileManager.default.temporaryDirectory.appending(path: "leap-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try measure(repetitions, disk: PrefixCacheConfiguration.Disk(path: folder.path, maxEntries: .max) { _ in })
    }

    private mutating func measure(_ repetitions: Int, disk: PrefixCacheConfiguration.Disk) throws {
        let memory = try generator(PrefixCacheConfiguration())
        memory.remember(Prompt(known))
        let writer = try generator(PrefixCacheConfiguration(memory: .none, disk: disk))
        writer.remember(Prompt(known))
        writer.flushCache()
        let cold = try generator(PrefixCacheConfiguration(memory: .none))
        for seed in 0..<repetitions {
            let prompt = known + Self.tokens(new, seed: seed + 2, tokenizer)
            var round = Round()
            round.cold = try timeToFirstToken(cold, prompt)
            round.memory = try timeToFirstToken(memory, prompt)
            // A generator with nothing in memory, as after a restart.
            let reader = try generator(PrefixCacheConfiguration(memory: .none, disk: disk))
            round.disk = try timeToFirstToken(reader, prompt)
            reader.flushCache()
            rounds.append(round)
        }
    }

    private func generator(_ caching: PrefixCacheConfiguration) throws -> TokenGenerator {
        try TokenGenerator(
            model: model, tokenizer: tokenizer, compute: compute, contextLength: promptTokens + 1, caching: caching)
    }

    private mutating func timeToFirstToken(_ generator: TokenGenerator, _ prompt: [Token]) throws -> Double {
        let statistics = try generator.generate(
            GenerationRequest(prompt: Prompt(prompt), stop: StopCondition(tokens: [], maxTokens: 1), routing: .raw)
        ).statistics
        cachedTokens = max(cachedTokens, statistics.cachedPromptTokens)
        return statistics.timeToFirstToken / .seconds(1)
    }

    private static func tokens(_ count: Int, seed: Int, _ tokenizer: Tokenizer) -> [Token] {
        (0..<count).map { Token(truncatingIfNeeded: ($0 * 997 + seed * 7919 + 100) % tokenizer.vocabularySize) }
    }
}

/// A table of times to the first token.
struct CacheTable {
    private var table = TextTable([
        .left("model", 20), .right("threads", 7), .right("prompt", 6), .right("cached", 6), .right("cold s", 8),
        .right("memory s", 8), .right("disk s", 8), .right("cold/memory", 11), .right("cold/disk", 9),
    ])

    /// Adds a row of medians.
    mutating func add(_ model: String, threads: Int, _ measurement: CacheMeasurement) {
        func median(_ value: (CacheMeasurement.Round) -> Double) -> Double {
            Statistics(measurement.rounds.map(value)).median
        }
        table.add([
            model, "\(threads)", "\(measurement.promptTokens)", "\(measurement.cachedTokens)",
            String(format: "%.3f", median(\.cold)), String(format: "%.3f", median(\.memory)),
            String(format: "%.3f", median(\.disk)), String(format: "%.1f", median { $0.cold / $0.memory }),
            String(format: "%.1f", median { $0.cold / $0.disk }),
        ])
    }

    var text: String { table.text }
}
