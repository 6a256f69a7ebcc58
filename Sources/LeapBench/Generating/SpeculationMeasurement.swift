import Foundation
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import LeapToolSupport

/// Decoding the continuation of a text with and without speculation, in turns.
struct SpeculationMeasurement {
    /// Tokens per second.
    struct Round {
        let guessing: Double
        let plain: Double
    }

    /// Tokens of one answer with speculation; all answers are equal.
    let tokens: Int
    private(set) var drafted = 0
    private(set) var accepted = 0
    private(set) var rounds: [Round] = []

    /// - Parameters:
    ///   - text: The text to continue; it may contain control tokens.
    ///   - tokens: The most tokens of the continuation, which is decoded greedily.
    ///   - draft: A draft model for speculation.
    init(
        _ model: LanguageModel, draft: LanguageModel?, text: String, _ compute: Compute, tokens: Int, repetitions: Int
    ) throws {
        let tokenizer = try Tokenizer(metadata: model.file.metadata)
        let generator = try TokenGenerator(
            model: model, tokenizer: tokenizer, compute: compute,
            draft: try draft.map { try DraftModel($0, Tokenizer(metadata: $0.file.metadata), for: tokenizer) })
        var request = GenerationRequest(
            prompt: Prompt(tokenizer.encode(text, addSpecial: true, parseSpecial: true)),
            stop: StopCondition(tokens: tokenizer.endOfGeneration, maxTokens: tokens), routing: .raw)
        let first = try generator.generate(request)
        self.tokens = first.tokens.count
        guard first.tokens.count > 1 else {
            throw CommandError(
                "\(model.file.path): the text is continued by fewer than two tokens, which leaves nothing to measure: give "
                    + "another text, or a larger -n.")
        }
        for _ in 0..<repetitions {
            request.speculates = true
            let guessing = try generator.generate(request)
            request.speculates = false
            let plain = try generator.generate(request)
            guard guessing.tokens == plain.tokens else {
                throw CommandError(
                    "\(model.file.path): speculative decoding changed the answer. This is a bug in leap-bench; please report it."
                )
            }
            (drafted, accepted) = (guessing.statistics.draftedTokens, guessing.statistics.acceptedTokens)
            rounds.append(
                Round(
                    guessing: guessing.statistics.decodeTokensPerSecond,
                    plain: plain.statistics.decodeTokensPerSecond))
        }
    }
}

/// A table of the gains of speculation.
struct SpeculationTable {
    private var table = TextTable([
        .left("model", 20), .left("text", 20), .right("tokens", 6), .right("plain t/s", 9), .right("spec t/s", 9),
        .right("gain", 6), .right("drafted", 7), .right("accepted", 8), .right("share", 6),
    ])

    /// Adds a row of medians.
    mutating func add(_ model: String, text: String, _ measurement: SpeculationMeasurement) {
        let rounds = measurement.rounds
        table.add([
            model, text, "\(measurement.tokens)",
            String(format: "%.2f", Statistics(rounds.map(\.plain)).median),
            String(format: "%.2f", Statistics(rounds.map(\.guessing)).median),
            String(format: "%.2f", Statistics(rounds.map { $0.guessing / $0.plain }).median),
            "\(measurement.drafted)", "\(measurement.accepted)",
            String(format: "%.0f %%", 100 * Double(measurement.accepted) / Double(max(measurement.drafted, 1))),
        ])
    }

    var text: String { table.text }
}
