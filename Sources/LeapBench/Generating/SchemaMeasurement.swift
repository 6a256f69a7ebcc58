import Foundation
import LeapConstraints
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer

/// Decoding with and without a constraint, in turns: the cost of a schema's masks.
///
/// Each round decodes constrained answers until there are enough tokens, and then the same number of tokens without the
/// constraint, in answers of the same lengths. In the first round, the constraint's masks are not cached yet.
struct SchemaMeasurement {
    /// One round.
    struct Round {
        var tokens = 0
        /// Decoding with the constraint.
        var constrained = Duration.zero
        /// Decoding without it.
        var free = Duration.zero

        /// The relative slowdown of decoding with the constraint.
        var overhead: Double { free == .zero ? 0 : constrained / free - 1 }
    }

    /// The time of compiling the schema.
    let compilation: Double
    /// The extra time to the first token of the very first constrained answer, compared with an unconstrained one: it
    /// includes preparing the vocabulary and filling the cache of masks.
    let setUp: Double
    /// At least two rounds.
    private(set) var rounds: [Round] = []

    private let generator: TokenGenerator
    private let constraint: Constraint
    private let endTokens: Set<Token>
    private let prompt: [Token]
    private var seed: UInt64 = 0

    /// - Parameters:
    ///   - prompt: The number of tokens of the prompt, which is nonsense.
    ///   - tokens: The approximate number of tokens that a round decodes.
    init(
        _ model: LanguageModel, schema: String, _ compute: Compute, prompt: Int, tokens: Int, repetitions: Int
    ) throws {
        let tokenizer = try Tokenizer(metadata: model.file.metadata)
        generator = try TokenGenerator(model: model, tokenizer: tokenizer, compute: compute)
        (constraint, compilation) = try timed { try Constraint(jsonSchema: schema, reading: .generation) }
        endTokens = tokenizer.endOfGeneration
        let count = tokenizer.vocabularySize
        self.prompt = (0..<max(prompt, 1)).map { Token(truncatingIfNeeded: ($0 * 997 + 100) % count) }
        // Loads the weights into memory.
        _ = try generator.generate(Self.request(self.prompt, nil, [], seed: 0, tokens: 8))
        let free = try generator.generate(Self.request(self.prompt, nil, [], seed: 0, tokens: 1))
        let first = try generator.generate(Self.request(self.prompt, constraint, endTokens, seed: 0, tokens: 1))
        setUp = (first.statistics.timeToFirstToken - free.statistics.timeToFirstToken) / .seconds(1)
        for _ in 0..<max(repetitions, 2) { rounds.append(try round(tokens)) }
    }

    private mutating func round(_ tokens: Int) throws -> Round {
        var round = Round()
        while round.tokens < tokens {
            seed += 1
            let limit = tokens - round.tokens + 1
            let constrained = try generator.generate(
                Self.request(prompt, constraint, endTokens, seed: seed, tokens: limit))
            let passes = max(constrained.statistics.decodeSteps, 1)
            let free = try generator.generate(Self.request(prompt, nil, [], seed: seed, tokens: passes + 1))
            round.constrained += constrained.statistics.decodeDuration
            round.free += free.statistics.decodeDuration
            round.tokens += passes
        }
        return round
    }

    private static func request(
        _ prompt: [Token], _ constraint: Constraint?, _ endTokens: Set<Token>, seed: UInt64, tokens: Int
    ) -> GenerationRequest {
        var request = GenerationRequest(
            prompt: Prompt(prompt), sampling: SamplerConfiguration(temperature: 0.8, topK: 40), seed: seed,
            stop: StopCondition(tokens: endTokens, maxTokens: tokens), routing: .raw, constraint: constraint)
        request.speculates = false
        return request
    }
}
