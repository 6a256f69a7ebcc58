import LeapConstraints
import LeapGGUF
import LeapGeneration
import LeapJSON
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// Untrained models under random schemas: every completed answer is valid, however tokens are sampled.
@Suite struct RandomModelTests {
    /// Tokenizers of both families, with as many tokens as the model has.
    enum Family: String, CaseIterable { case bytePairs, sentencePieces }

    private static func generator(_ family: Family) throws -> (TokenGenerator, Tokenizer) {
        let file = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        let own = try Tokenizer(metadata: file.metadata)
        let tokenizer = family == .bytePairs ? own : try sentencePieces(count: own.vocabularySize)
        let generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: tokenizer, compute: Compute(threads: 1))
        return (generator, tokenizer)
    }

    /// A SentencePiece vocabulary: byte tokens, and pieces in which `▁` stands for a space.
    private static func sentencePieces(count: Int) throws -> Tokenizer {
        let words = [
            "\"", "{\"", "\":", "▁", "▁the", "{", "}", "▁{", "▁\"", "[", "],", "é", "日本", "true", "null", "▁12",
        ]
        let bytes = (0..<256).map { "<0x" + String($0 + 256, radix: 16, uppercase: true).dropFirst() + ">" }
        var texts = ["<unk>", "<s>", "</s>"] + bytes + words
        var types: [UInt32] = [2, 3, 3] + bytes.map { _ in 6 } + words.map { _ in 1 }
        while texts.count < count {
            texts.append("▁w\(texts.count)")
            types.append(1)
        }
        var file = HandmadeGGUF()
        file.metadata = [
            .string("general.architecture", "llama"), .string("tokenizer.ggml.model", "llama"),
            .strings("tokenizer.ggml.tokens", texts),
            .array(
                "tokenizer.ggml.scores", of: 6, count: UInt64(count),
                texts.indices.flatMap { littleEndian(Float(-$0).bitPattern) }),
            .array("tokenizer.ggml.token_type", of: 5, count: UInt64(count), types.flatMap { littleEndian($0) }),
            .uint32("tokenizer.ggml.bos_token_id", 1), .uint32("tokenizer.ggml.eos_token_id", 2),
        ]
        return try Tokenizer(metadata: GGUFFile(bytes: file.bytes, name: "pieces.gguf").metadata)
    }

    private static let samplings = [
        SamplerConfiguration(temperature: 2), SamplerConfiguration(temperature: 2, topK: 1),
        SamplerConfiguration(temperature: 0, repetitionPenalty: 1.5),
        SamplerConfiguration(
            temperature: 1.5, topP: 0.9, logitBias: [34: 100, 90: 100, 100: -.infinity, 300: 100],
            dry: DRYSettings(multiplier: 1), xtcProbability: 0.5),
    ]

    @Test(arguments: Family.allCases)
    func `completed answers of a random model under a random schema are valid`(family: Family) throws {
        let (generator, tokenizer) = try Self.generator(family)
        var schemas = RandomSchema(seed: family == .bytePairs ? 501 : 502)
        var finished = 0
        for round in 0..<24 {
            let schema = schemas.schema()
            guard let constraint = try? Constraint(jsonSchema: schema) else { continue }
            let result = try generator.generate(
                GenerationRequest(
                    prompt: [37, 90], sampling: Self.samplings[round % Self.samplings.count], seed: UInt64(round),
                    stop: StopCondition(tokens: tokenizer.endOfGeneration, strings: ["\"", "a"], maxTokens: 150),
                    constraint: constraint))
            guard result.finishReason == .endOfGeneration else {
                #expect(result.finishReason == .maxTokens || result.finishReason == .maxTokensInConstraint)
                continue
            }
            finished += 1
            let value = try JSONValue(parsing: result.text)
            #expect(SchemaValidator(root: schema).isValid(value), "\(schema.text()) made \(result.text)")
        }
        #expect(finished >= 5)
    }

    @Test(arguments: Family.allCases)
    func `a constrained text that begins with a space keeps the space`(family: Family) throws {
        let (generator, tokenizer) = try Self.generator(family)
        let result = try generator.generate(
            GenerationRequest(
                prompt: [37], stop: StopCondition(tokens: tokenizer.endOfGeneration, maxTokens: 20),
                constraint: try Constraint(regex: " x y")))
        #expect(result.text == " x y")
    }
}
