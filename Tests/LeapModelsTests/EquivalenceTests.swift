import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Results must not depend on chunks, batches, threads or kernels.
@Suite struct EquivalenceTests {
    /// Different orders of summation in single precision; keys and values are then rounded to 11 bits, so a difference
    /// in the last bit may become one of 2⁻¹¹ relative.
    static let floatTolerance = 2e-3

    /// With quantised weights a level without tiles uses a prompt's activations unrounded, the others in 8 bits: two
    /// correct results as far apart as either is from exact. The bound is twice llama.cpp's own error, with a floor.
    static let quantizedTolerance = 2.0

    @Test(
        "A prompt gives bit-identical logits at once, in chunks and token by token", arguments: Fixture.all,
        [1, 7, 24, 64])
    func chunks(fixture: Fixture, chunk: Int) throws {
        let model = try TestModel(fixture)
        let tokens = try longPrompt(of: fixture).tokens
        #expect(try model.logits(after: tokens, chunk: chunk) == model.logits(after: tokens))
    }

    @Test(
        "Chunks do not change a bit with sliding windows over prompts of several tiles",
        arguments: ["gemma3-f32", "olmo3-f32", "gpt-oss-f32", "gpt-oss-mxfp4"].map(Fixture.init),
        Kernels.available.map(\.level))
    func windows(fixture: Fixture, level: KernelLevel) throws {
        let model = try TestModel(fixture, compute: Compute(kernels: Kernels.table(for: level)))
        var random = SeededRandomNumberGenerator(seed: 41)
        let tokens = randomTokens(420, model, &random)
        let whole = try model.makeState()
        let prompt = try model.logits(after: tokens, state: whole)
        let answer = try model.logits(after: [7], .answer, state: whole)
        for chunk in [1, 100, 128, 300] {
            let pieces = try model.makeState()
            #expect(try model.logits(after: tokens, chunk: chunk, state: pieces) == prompt, "chunks of \(chunk)")
            #expect(try model.logits(after: [7], .answer, state: pieces) == answer, "answer after chunks of \(chunk)")
        }
    }

    @Test("Two sequences in one batch give the same logits as each alone", arguments: Fixture.all)
    func twoSequences(fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let prompts = try FixtureReference(of: fixture).prompts
        let (short, long) = (prompts[1], prompts[2])
        let states = (try model.makeState(), try model.makeState())
        var batch = Batch(of: .prompt)
        // The rows of the two alternate until the shorter ends.
        for index in 0..<long.tokens.count {
            if index < short.tokens.count {
                batch.append(token: short.tokens[index], to: states.0, wantsLogits: index == short.tokens.count - 1)
            }
            batch.append(token: long.tokens[index], to: states.1, wantsLogits: index == long.tokens.count - 1)
        }
        let together = try model.model.forward(batch, model.compute) { (Array($0[0]), Array($0[1])) }
        #expect(states.0.position == short.tokens.count && states.1.position == long.tokens.count)
        #expect(try together.0 == model.logits(after: short.tokens))
        #expect(try together.1 == model.logits(after: long.tokens))
    }

    @Test("A forked state continues like a fresh one and leaves the original unchanged", arguments: Fixture.all)
    func fork(fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let tokens = try longPrompt(of: fixture).tokens
        let (head, tails) = (Array(tokens.prefix(60)), [Array(tokens[60..<65]), Array(tokens[70..<75])])
        let original = try model.makeState()
        _ = try model.logits(after: head, state: original)
        let forks = tails.map { _ in original.fork() }
        func fresh(_ tail: [Int32]) throws -> [Float] {
            let state = try model.makeState()
            _ = try model.logits(after: head, state: state)
            return try model.logits(after: tail, state: state)
        }
        for (fork, tail) in zip(forks, tails) {
            #expect(try model.logits(after: tail, state: fork) == fresh(tail))
        }
        #expect(original.position == 60)
        let other = Array(tokens[75..<80])
        #expect(try model.logits(after: other, state: original) == fresh(other))
    }

    @Test("A reset state gives the same logits as a fresh one", arguments: Fixture.all)
    func reset(fixture: Fixture) throws {
        let model = try TestModel(fixture)
        let tokens = try longPrompt(of: fixture).tokens
        let state = try model.makeState()
        let first = try model.logits(after: tokens, state: state)
        state.reset()
        #expect(state.position == 0)
        #expect(try model.logits(after: tokens, state: state) == first)
    }

    @Test("The number of threads does not change a bit", arguments: Fixture.all)
    func threads(fixture: Fixture) throws {
        let tokens = try longPrompt(of: fixture).tokens
        let one = try TestModel(fixture, compute: Compute(threads: 1)).logits(after: tokens)
        let two = try TestModel(fixture, compute: Compute(threads: 2)).logits(after: tokens)
        #expect(one == two)
    }

    /// In `llama-every-type` a sum that a level rounds differently moves a quantised activation by a step, so its levels are
    /// only compared with exact logits (`ReferenceTests`).
    private static let comparable = Fixture.all.filter { $0.name != "llama-every-type" }

    @Test("Every kernel level gives the same logits", arguments: comparable, Kernels.available.map(\.level))
    func levels(fixture: Fixture, level: KernelLevel) throws {
        let prompt = try FixtureReference(of: fixture).prompts[1]
        let best = try TestModel(fixture)
        let other = try TestModel(fixture, compute: Compute(kernels: Kernels.table(for: level)))
        func error(_ kind: RowKind) throws -> Double {
            rootMeanSquareError(
                try best.logits(after: prompt.tokens, kind), try other.logits(after: prompt.tokens, kind))
        }
        #expect(try error(.answer) <= Self.floatTolerance)
        #expect(try error(.prompt) <= max(Self.floatTolerance, Self.quantizedTolerance * prompt.llamaCppError))
    }

    @Test("A token's embedding row gives the same logits as the token")
    func embeddingRows() throws {
        let fixture = Fixture(name: "lfm2-tied-f32")
        let model = try TestModel(fixture)
        let tokens = try FixtureReference(of: fixture).prompts[1].tokens
        let table = try #require(model.model.file.tensor(named: "token_embd.weight"))
        let width = table.dimensions[0]
        var batch = Batch(of: .prompt)
        let state = try model.makeState()
        for (index, token) in tokens.enumerated() {
            let row = table.bytes.bindMemory(to: Float.self)[Int(token) * width..<(Int(token) + 1) * width]
            batch.append(embedding: Array(row), to: state, wantsLogits: index == tokens.count - 1)
        }
        let logits = try model.model.forward(batch, model.compute) { Array($0[0]) }
        #expect(logits == (try model.logits(after: tokens)))
    }

    @Test(
        "A few rows in one pass give the same logits as one by one, and can be rolled back",
        arguments: Fixture.all, Kernels.available.map(\.level))
    func fewRows(fixture: Fixture, level: KernelLevel) throws {
        try expectFewRowsAsAlone(TestModel(fixture, compute: Compute(kernels: Kernels.table(for: level), threads: 2)))
    }

    @Test(
        "A few rows in one pass give the same logits with every type of keys and values",
        arguments: KeyValueType.allCases,
        Kernels.available.map(\.level))
    func fewRows(type: KeyValueType, level: KernelLevel) throws {
        try expectFewRowsAsAlone(
            TestModel(
                Fixture(name: "llama-every-type"), types: KeyValueTypes(type),
                compute: Compute(kernels: Kernels.table(for: level), threads: 2)))
    }

    private func expectFewRowsAsAlone(_ model: TestModel) throws {
        var random = SeededRandomNumberGenerator(seed: 8)
        // Positions before the pass: none, into the second block, and enough that decoding divides them among threads.
        for start in [0, 130, 390] {
            let prompt = randomTokens(start, model, &random)
            let drafted = randomTokens(SequenceState.reversibleRows, model, &random)
            let (single, few) = (try model.makeState(), try model.makeState())
            for state in [single, few] where start > 0 { _ = try model.logits(after: prompt, state: state) }
            let alone = try drafted.map { try model.logits(after: [$0], .answer, state: single) }
            for count in 1...drafted.count {
                few.isReversible = true
                #expect(try model.allLogits(of: Array(drafted.prefix(count)), state: few) == Array(alone.prefix(count)))
                few.rollBack(count)
                #expect(few.position == start)
            }
            _ = try model.allLogits(of: drafted, state: few)
            few.rollBack(3)
            few.isReversible = false
            for token in drafted.count - 3..<drafted.count {
                #expect(try model.logits(after: [drafted[token]], .answer, state: few) == alone[token])
            }
        }
    }

    @Test(
        "A pass cancelled by its observer leaves its sequences unchanged", arguments: Fixture.all,
        [LayerPart.mixer, .feedForward])
    func cancelledPass(fixture: Fixture, part: LayerPart) throws {
        let model = try TestModel(fixture)
        let tokens = try longPrompt(of: fixture).tokens
        let states = [try model.makeState(), try model.makeState()]
        let positions = [9, 40]
        for (state, position) in zip(states, positions) {
            _ = try model.logits(after: Array(tokens.prefix(position)), state: state)
        }
        var batch = Batch(of: .prompt)
        for (state, position) in zip(states, positions) {
            batch.append(tokens: tokens.dropFirst(position), to: state, wantsLogits: true)
        }
        let lastLayer = model.model.configuration.blockCount - 1
        for layer in [0, lastLayer] {
            #expect {
                try model.model.forward(batch, model.compute) { !($0 == layer && $1 == part && $2.count > 0) }
            } throws: { if case .cancelled? = $0 as? ModelError { true } else { false } }
            #expect(states.map(\.position) == positions)
        }
        let fresh = try model.logits(after: tokens)
        for (state, position) in zip(states, positions) {
            #expect(try model.logits(after: Array(tokens.dropFirst(position)), state: state) == fresh)
        }
    }

    private func randomTokens(
        _ count: Int, _ model: TestModel, _ random: inout SeededRandomNumberGenerator
    ) -> [Int32] {
        (0..<count).map { _ in Int32.random(in: 0..<Int32(model.model.configuration.vocabularySize), using: &random) }
    }

    private func longPrompt(of fixture: Fixture) throws -> FixtureReference.Prompt {
        try #require(FixtureReference(of: fixture).prompts.first { $0.tokens.count > 100 })
    }
}
