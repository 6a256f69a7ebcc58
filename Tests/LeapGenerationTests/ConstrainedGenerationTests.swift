import LeapConstraints
import LeapGGUF
import LeapGeneration
import LeapJSON
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// Untrained models generate nonsense, so valid answers are due to the constraint alone.
@Suite struct ConstrainedGenerationTests {
    private let tokenizer: Tokenizer
    private let generator: TokenGenerator

    init() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        tokenizer = try Tokenizer(metadata: file.metadata)
        generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: tokenizer, compute: Compute(threads: 1))
    }

    private func generate(
        _ constraint: Constraint, temperature: Float = 1.5, seed: UInt64 = 0, maxTokens: Int = 400,
        excluding excluded: [Token] = []
    ) throws -> GenerationResult {
        var sampling = SamplerConfiguration(temperature: temperature)
        for token in excluded { sampling.logitBias[token] = -.infinity }
        return try generator.generate(
            GenerationRequest(
                prompt: [37, 90], sampling: sampling, seed: seed,
                stop: StopCondition(tokens: tokenizer.endOfGeneration, maxTokens: maxTokens), routing: .raw,
                constraint: constraint))
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `an answer constrained by a schema parses and has the required members`(seed: UInt64) throws {
        let constraint = try Constraint(
            jsonSchema: """
                {"type":"object","properties":{"name":{"type":"string","maxLength":12},"age":{"type":"integer",\
                "minimum":0,"maximum":120},"kind":{"enum":["a","b"]}},"required":["name","age","kind"],\
                "additionalProperties":false}
                """, reading: .generation)
        let result = try generate(constraint, seed: seed)
        #expect(result.finishReason == .endOfGeneration)
        let value = try JSONValue(parsing: result.text)
        let name = try #require(value["name"]?.string)
        #expect(name.unicodeScalars.count <= 12)
        guard case .integer(0...120) = value["age"] else {
            Issue.record("\(result.text)")
            return
        }
        #expect(["a", "b"].contains(value["kind"]?.string))
        #expect(value.dictionary?.count == 3)
    }

    @Test func `an answer ends where the constraint permits no further token`() throws {
        let result = try generate(try Constraint(regex: "yes|no"), temperature: 0)
        #expect(["yes", "no"].contains(result.text))
        #expect(result.finishReason == .endOfGeneration)
    }

    @Test func `if the end is excluded, an answer runs to its limit or to where nothing else may follow`() throws {
        let ends = Array(tokenizer.endOfGeneration)
        for seed in 0..<4 as Range<UInt64> {
            let open = try generate(try Constraint(regex: "[a-z ]*"), seed: seed, maxTokens: 60, excluding: ends)
            #expect(open.finishReason == .maxTokens && open.tokens.count == 60)
        }
        let whole = try generate(try Constraint(regex: "yes|no"), excluding: ends)
        #expect(["yes", "no"].contains(whole.text) && whole.finishReason == .endOfGeneration)
        let nothing = try generate(try Constraint(gbnf: #"root ::= """#), excluding: ends)
        #expect(nothing.text.isEmpty && nothing.finishReason == .endOfGeneration)
    }

    @Test func `where only excluded tokens may follow, a valid answer ends, and another one fails`() throws {
        let text = tokenizer.encode("a", addSpecial: false, parseSpecial: false)
        let token = try #require(text.count == 1 ? text.first : nil)
        let others = (0..<Token(tokenizer.vocabularySize)).filter { $0 != token }
        let valid = try generate(try Constraint(regex: "ab?"), excluding: others)
        #expect(valid.text == "a" && valid.finishReason == .endOfGeneration)
        #expect(throws: GenerationError.self) { try generate(try Constraint(regex: "ab"), excluding: others) }
    }

    @Test func `reaching the token limit inside a constraint has its own finish reason`() throws {
        let inside = try generate(try Constraint(regex: "a{50}"), maxTokens: 2)
        #expect(inside.finishReason == .maxTokensInConstraint)
        let satisfied = try generate(try Constraint(regex: "[a-z]{2,}"), temperature: 0, maxTokens: 8)
        #expect(satisfied.finishReason == .maxTokens || satisfied.finishReason == .endOfGeneration)
    }

    @Test func `the error for a dead end names the vocabulary or a value check as its reason`() {
        let judged = GenerationError.constraintNotSpellable(after: 3, judgesValues: true).description
        #expect(judged.contains("checked only when a value is complete") && !judged.contains("vocabulary"))
        #expect(GenerationError.constraintNotSpellable(after: 3).description.contains("vocabulary"))
    }

    @Test func `the generator is usable after a constraint that the vocabulary cannot spell`() throws {
        // A tokenizer with tokens for all bytes spells everything, so the other outcome is the right one here.
        let result = try generate(try Constraint(gbnf: #"root ::= "日本語" [\U0001F600]"#), temperature: 0)
        #expect(result.text == "日本語😀")
        #expect(try generate(try Constraint(regex: "x"), temperature: 0).text == "x")
    }
}
