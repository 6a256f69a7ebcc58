import LeapChat
import LeapConstraints
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

/// Reasoning before an answer: its budget, and that a constraint does not apply to it. An untrained model reasons and
/// calls functions only where a logit bias makes it.
@Suite struct ReasoningBudgetTests {
    private let tokenizer: Tokenizer
    private let generator: TokenGenerator

    init() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2-tied-f32").path)
        tokenizer = try Tokenizer(metadata: file.metadata)
        generator = try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: tokenizer, compute: Compute(threads: 1))
    }

    private func token(_ text: String) throws -> Token { try #require(tokenizer.token(for: text)) }

    private func generate(
        _ routing: OutputRouting, maxTokens: Int = 60, _ change: (inout GenerationRequest) throws -> Void
    ) throws -> GenerationResult {
        var request = GenerationRequest(
            prompt: [37, 90], sampling: SamplerConfiguration(temperature: 1.5), seed: 1,
            stop: StopCondition(tokens: tokenizer.endOfGeneration, maxTokens: maxTokens), routing: routing)
        // By default, the model neither starts nor ends reasoning, nor the answer.
        for text in ["<think>", "</think>", "<|im_end|>", "<|endoftext|>"] {
            request.sampling.logitBias[try token(text)] = -.infinity
        }
        try change(&request)
        return try generator.generate(request)
    }

    @Test(arguments: [0, 1, 7])
    func `reasoning that the prompt opened is closed after its budget, and the answer follows`(budget: Int) throws {
        let result = try generate(.split(startsInReasoning: true)) { $0.thinkingBudget = budget }
        #expect(try result.tokens.firstIndex(of: token("</think>")) == budget)
        #expect(result.reasoning.isEmpty == (budget == 0))
        #expect(!result.text.isEmpty && result.tokens.count == 60)
    }

    @Test(arguments: [0, 5])
    func `reasoning that the model opened is closed after its budget`(budget: Int) throws {
        let start = try token("<think>")
        let result = try generate(.split()) { request in
            request.thinkingBudget = budget
            request.sampling.logitBias[start] = 1000
        }
        #expect(
            try result.tokens.prefix(budget + 2) == [start] + Array(repeating: start, count: budget)
                + [token("</think>")])
    }

    @Test func `a budget changes neither an answer without reasoning nor a raw one`() throws {
        let free = try generate(.split()) { _ in }
        #expect(try generate(.split()) { $0.thinkingBudget = 0 }.tokens == free.tokens)
        let raw = try generate(.raw) { $0.thinkingBudget = 0 }
        #expect(try !raw.tokens.contains(token("</think>")))
    }

    @Test func `reasoning that the prompt opened is unconstrained, and the answer is constrained`() throws {
        let result = try generate(.split(startsInReasoning: true)) { request in
            request.thinkingBudget = 9
            request.constraint = try Constraint(regex: "yes|no")
        }
        #expect(["yes", "no"].contains(result.text))
        #expect(!result.reasoning.isEmpty && result.finishReason == .endOfGeneration)
    }

    @Test(arguments: [true, false])
    func `a model opens reasoning before a constrained answer only if permitted`(mayThink: Bool) throws {
        let start = try token("<think>")
        let result = try generate(.split()) { request in
            request.mayThink = mayThink
            request.thinkingBudget = 3
            request.sampling.logitBias[start] = 1000
            request.constraint = try Constraint(regex: "yes|no")
        }
        #expect((result.tokens.first == start) == mayThink)
        #expect(["yes", "no"].contains(result.text) && result.finishReason == .endOfGeneration)
    }

    @Test func `an answer does not end inside reasoning before a constrained answer`() throws {
        let end = try token("<|im_end|>")
        let result = try generate(.split(startsInReasoning: true)) { request in
            request.sampling.logitBias[end] = 1000
            request.constraint = try Constraint(regex: "yes|no")
        }
        #expect(result.tokens.count == 60 && result.finishReason == .maxTokensInConstraint)
    }

    @Test func `an unreadable tool call in a constrained answer is an error`() throws {
        let (start, end) = (try token("<|tool_call_start|>"), try token("<|tool_call_end|>"))
        #expect {
            try generate(.split(), maxTokens: 400) { request in
                request.mayCall = true
                request.reading = AnswerReading(try #require(Dialect(named: "lfm")))
                request.sampling.logitBias[start] = 1000
                request.sampling.logitBias[end] = 2000
                request.sampling.logitBias[try token("<|im_end|>")] = 3000
                request.constraint = try Constraint(regex: "yes|no")
            }
        } throws: { error in
            if case GenerationError.unreadableCallInConstraint(after: 2) = error { true } else { false }
        }
    }

    @Test func `reasoning tags inside constrained text are plain text`() throws {
        let text = #"{"a":"<think>x</think>"}"#
        let result = try generate(.split()) { request in
            request.constraint = try Constraint(jsonSchema: #"{"const":{"a":"<think>x</think>"}}"#)
            request.thinkingBudget = 0
            request.sampling.temperature = 0
            // No whitespace, and no escapes.
            for token in 0..<Token(tokenizer.vocabularySize)
            where tokenizer.bytes(of: token, renderSpecial: false).contains(where: {
                [0x20, 0x0A, 0x0D, 0x5C].contains($0)
            }) {
                request.sampling.logitBias[token] = -.infinity
            }
        }
        #expect(result.text == text && result.reasoning.isEmpty)
    }
}
