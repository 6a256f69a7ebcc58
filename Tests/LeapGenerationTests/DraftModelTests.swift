import LeapChat
import LeapGGUF
import LeapModels
import LeapOps
import LeapTokenizer
import Testing
import _LeapTestSupport

@testable import LeapGeneration

/// A draft model changes the cost of an answer, but none of its tokens.
@Suite("Draft models")
struct DraftModelTests {
    /// A model and its draft model.
    struct Pair: CustomStringConvertible {
        let target: String
        let draft: String
        var description: String { "\(draft) for \(target)" }
    }

    private static let pairs = [
        Pair(target: "lfm2-k-quants", draft: "lfm2-k-quants"), Pair(target: "llama-q4_k", draft: "lfm2-tied-f32"),
        Pair(target: "qwen35-f32", draft: "llama-q4_k"), Pair(target: "lfm2-tied-f32", draft: "qwen35-f32"),
        Pair(target: "gemma3-f32", draft: "gemma3-f32"), Pair(target: "qwen35-f32", draft: "qwen35-f32"),
    ]

    private static let samplings = [
        SamplerConfiguration.greedy, SamplerConfiguration(temperature: 0.7),
        SamplerConfiguration(temperature: 1.2, topK: 40, topP: 0.9),
    ]

    @Test("an answer is the same with and without a draft model, greedy and sampled", arguments: pairs)
    func sameAnswers(_ pair: Pair) throws {
        let generator = try generator(pair)
        var random = SeededRandomNumberGenerator(seed: 6)
        var drafted = 0
        for (index, sampling) in Self.samplings.enumerated() {
            for length in [3, 140, 300] {
                var request = GenerationRequest(
                    prompt: Prompt(randomTokens(length, &random)), sampling: sampling, seed: UInt64(index),
                    stop: StopCondition(tokens: [], maxTokens: 60))
                request.topLogprobs = 2
                let guessed = try generator.generate(request)
                request.speculates = false
                let plain = try generator.generate(request)
                #expect(guessed.tokens == plain.tokens)
                #expect(guessed.logprobs == plain.logprobs)
                drafted += guessed.statistics.draftedTokens
            }
        }
        #expect(drafted > 0)
    }

    @Test("a model that drafts for itself is always right", arguments: ["lfm2-k-quants", "qwen35-q4_k", "gemma3-f32"])
    func itself(_ name: String) throws {
        let file = try GGUFFile(path: Fixture(name: name).path)
        let model = try LanguageModel.load(file)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let drafter = Drafter(try DraftModel(model, tokenizer, for: tokenizer), Compute(threads: 1), chunkSize: 100)
        var random = SeededRandomNumberGenerator(seed: 7)
        let prompt = randomTokens(230, &random)
        let alone = try generator(Pair(target: name, draft: name)).generate(
            GenerationRequest(
                prompt: Prompt(prompt), sampling: .greedy, stop: StopCondition(tokens: [], maxTokens: 40)))
        let sequence = try #require(drafter.sequence(of: Prompt(prompt), contextLength: 512))
        sequence.append(alone.tokens[0])
        // The prompt is processed in three chunks, and drafting is possible after the last.
        for part in 1...2 {
            #expect(drafter.guess(5, after: sequence).isEmpty)
            #expect(sequence.state.position == 100 * part)
        }
        var known = 1
        for count in [5, 1, 7, 3, 2, 7] {
            let guesses = drafter.guess(count, after: sequence)
            #expect(guesses == Array(alone.tokens[known..<known + count]))
            // The accepted tokens, and one more.
            for token in alone.tokens[known...known + count] { sequence.append(token) }
            known += count + 1
        }
        let seconds = try #require(drafter.secondsPerToken)
        #expect(seconds > 0)
        // While no drafts are requested, their estimated cost falls, so that drafting is tried again.
        drafter.forget()
        #expect(try #require(drafter.secondsPerToken) < seconds)
    }

    @Test("rejected drafts are rolled back, and the actual tokens are processed instead")
    func forgotten() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2-k-quants").path)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let model = try LanguageModel.load(file)
        let drafter = Drafter(try DraftModel(model, tokenizer, for: tokenizer), Compute(threads: 1), chunkSize: 256)
        var random = SeededRandomNumberGenerator(seed: 8)
        let prompt = randomTokens(5, &random)
        let one = try #require(drafter.sequence(of: Prompt(prompt), contextLength: 512))
        _ = drafter.guess(7, after: one)
        #expect(one.state.position == 5)
        let said = randomTokens(4, &random)
        for token in said { one.append(token) }
        let other = try #require(drafter.sequence(of: Prompt(prompt + said), contextLength: 512))
        let guesses = drafter.guess(7, after: one)
        #expect(guesses.count == 7 && one.state.position == 9)
        #expect(drafter.guess(7, after: other) == guesses)
    }

    @Test("nothing is drafted beyond the end of the draft model's context")
    func context() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2-k-quants").path)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let model = try LanguageModel.load(file)
        let drafter = Drafter(try DraftModel(model, tokenizer, for: tokenizer), Compute(threads: 1), chunkSize: 256)
        #expect(drafter.sequence(of: [40, 41, 42], contextLength: 3) == nil)
        let sequence = try #require(drafter.sequence(of: [40, 41, 42], contextLength: 6))
        #expect(drafter.guess(4, after: sequence).isEmpty)
        #expect(drafter.guess(3, after: sequence).count == 3)
        sequence.append(50)
        #expect(drafter.guess(3, after: sequence).isEmpty && drafter.guess(2, after: sequence).count == 2)
    }

    @Test("batched answers are the same as each alone")
    func batchedAnswers() throws {
        let pair = Pair(target: "lfm2-k-quants", draft: "lfm2-k-quants")
        let scheduler = try scheduler(pair)
        var random = SeededRandomNumberGenerator(seed: 9)
        let requests = (0..<3).map { index in
            GenerationRequest(
                prompt: Prompt(randomTokens(20 + 60 * index, &random)),
                sampling: SamplerConfiguration(temperature: 0.5),
                seed: UInt64(index), stop: StopCondition(tokens: [], maxTokens: 40))
        }
        let generations = try requests.map { try scheduler.admit($0) }
        while scheduler.hasWork { scheduler.step() }
        for (request, generation) in zip(requests, generations) {
            var alone = request
            alone.speculates = false
            let expected = try generator(pair).generate(alone)
            #expect(try #require(generation.outcome).get().tokens == expected.tokens)
        }
    }

    @Test("an answer that may have one block of calls ends with it, also if drafts after it are right")
    func endsAfterCalls() throws {
        let script = "Yes.<|tool_call_start|>[f(a=1), g()]<|tool_call_end|> and on it goes, as long as a pass is."
        let model = try ScriptedModel(script)
        let file = try GGUFFile(path: model.path)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        let language = try LanguageModel.load(file)
        var request = GenerationRequest(
            prompt: Prompt(tokenizer.encode("Hello", addSpecial: false, parseSpecial: false)),
            stop: StopCondition(tokens: tokenizer.endOfGeneration),
            reading: AnswerReading(.lfm, readsUnknown: true))
        for endsAfterCalls in [true, false] {
            request.stop.endsAfterCalls = endsAfterCalls
            for speculates in [true, false] {
                request.speculates = speculates
                let generator = try TokenGenerator(
                    model: language, tokenizer: tokenizer, compute: Compute(threads: 1),
                    draft: DraftModel(language, tokenizer, for: tokenizer))
                var calls: [ToolCall] = []
                let result = try generator.generate(request) { if case .calls(let some) = $0 { calls += some } }
                #expect(calls.map(\.name) == ["f", "g"] && result.finishReason == .endOfGeneration)
                #expect((result.tokens.last == tokenizer.token(for: "<|tool_call_end|>")) == endsAfterCalls)
                #expect((result.text == "Yes.") == endsAfterCalls, "\(result.text)")
                #expect(result.statistics.completionTokens == result.tokens.count)
            }
        }
    }

    @Test("a draft model with another vocabulary is refused with the first different token")
    func otherVocabulary() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2-k-quants").path)
        let own = try Tokenizer(metadata: file.metadata)
        var writer = GGUFWriter()
        writer.add(contentsOf: file.metadata)
        var texts = (0..<own.vocabularySize).map { own.text(of: Token($0)) ?? "" }
        texts[41] = "else"
        writer.set("tokenizer.ggml.tokens", strings: texts)
        let other = try Tokenizer(metadata: GGUFFile(bytes: writer.encoded { _ in }, name: "other").metadata)
        let model = try LanguageModel.load(file)
        #expect {
            _ = try DraftModel(model, other, for: own)
        } throws: { error in
            "\(error)".hasPrefix("token 41 is 'else' in the draft model, but '\(own.text(of: 41) ?? "")' in the model")
        }
    }

    private func draft(_ name: String, for target: Tokenizer) throws -> DraftModel {
        let file = try GGUFFile(path: Fixture(name: name).path)
        return try DraftModel(LanguageModel.load(file), Tokenizer(metadata: file.metadata), for: target)
    }

    private func scheduler(_ pair: Pair) throws -> Scheduler {
        let file = try GGUFFile(path: Fixture(name: pair.target).path)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        return try Scheduler(
            model: LanguageModel.load(file), tokenizer: tokenizer, compute: Compute(threads: 2),
            draft: draft(pair.draft, for: tokenizer))
    }

    private func generator(_ pair: Pair) throws -> TokenGenerator {
        let file = try GGUFFile(path: Fixture(name: pair.target).path)
        let tokenizer = try Tokenizer(metadata: file.metadata)
        return try TokenGenerator(
            model: LanguageModel.load(file), tokenizer: tokenizer, compute: Compute(threads: 2),
            draft: draft(pair.draft, for: tokenizer))
    }

    private func randomTokens(_ count: Int, _ random: inout SeededRandomNumberGenerator) -> [Token] {
        (0..<count).map { _ in Token.random(in: 30..<200, using: &random) }
    }
}
