import LeapBlocks
import LeapGGUF
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapModels
@testable import LeapOps

/// What a model computes with LoRA adapters.
@Suite("Adapters")
struct AdapterTests {
    /// The models that have adapters, and the adapters.
    static let adapted = [
        Adapted(name: "lfm2-tied-f32", adapters: ["all", "some"]), Adapted(name: "llama-tied-f32", adapters: ["all"]),
        Adapted(name: "llama-untied-rope-factors-f32", adapters: ["output"]),
        Adapted(name: "phi4-long-f32", adapters: ["joint"]), Adapted(name: "llama-every-type", adapters: ["types"]),
        Adapted(name: "llama-untied-rope-factors-f32", adapters: ["embedding", "output"]),
        Adapted(name: "lfm2-tied-f32", adapters: ["embedding", "all"]),
        Adapted(name: "gemma3-f32", adapters: ["embedding"]), Adapted(name: "lfm2moe-f32", adapters: ["experts"]),
        Adapted(name: "lfm2moe-q4_0-q8_0", adapters: ["experts"]), Adapted(name: "gpt-oss-f32", adapters: ["experts"]),
        Adapted(name: "qwen35moe-f32", adapters: ["shared"]), Adapted(name: "lfm2-untied-f16", adapters: ["embedding"]),
    ]

    struct Adapted: CustomStringConvertible {
        let name: String
        let adapters: [String]

        var description: String { "\(name) with \(adapters)" }

        /// Loads the model with its adapters, all with the same scale.
        func model(scale: Float, _ compute: Compute = Compute(threads: 2)) throws -> TestModel {
            try AdapterTests.model(name, adapters, scales: adapters.map { _ in scale }, compute)
        }
    }

    static let levels = Kernels.available.map(\.level)

    @Test("logits match those of a model with merged weights", arguments: adapted, levels)
    func merged(adapted: Adapted, level: KernelLevel) throws {
        let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
        let cases = AdapterFixtures.cases.filter {
            $0.model == adapted.name && Set($0.adapters.map(\.name)).isSubset(of: adapted.adapters)
        }
        #expect(cases.count >= 2)
        let plain = try TestModel(Fixture(name: adapted.name), compute: compute)
        let theirs = cases.compactMap(\.llamaCppError)
        var bound = theirs.isEmpty ? 0 : pooledError(theirs) * Self.allowance
        let isFloat = adapted.name.hasSuffix("f32")
        bound = max(bound, isFloat ? Self.floatTolerance : ReferenceTests.halfPrecisionFloor)
        for (kind, chunk) in [(RowKind.prompt, 512), (.prompt, 7), (.answer, 1), (.answer, 8)] {
            var errors: [Double] = []
            for one in cases {
                let model = try Self.model(
                    one.model, one.adapters.map(\.name), scales: one.adapters.map(\.scale), compute)
                let exact = try AdapterFixtures.logits(one)
                errors.append(rootMeanSquareError(try model.logits(after: one.tokens, kind, chunk: chunk), exact))
                let change = rootMeanSquareError(try plain.logits(after: one.tokens), exact)
                #expect(change > 10 * bound, "the adapters hardly change anything: \(change)")
            }
            #expect(pooledError(errors) <= bound, "\(kind) by \(chunk): \(errors)")
        }
    }

    /// How much larger than llama.cpp's, whose activations are rounded too, the error may be.
    private static let allowance = 1.1
    /// The effect of a different order of sums in 32-bit floats.
    private static let floatTolerance = 2e-4

    @Test("adapters with a scale of 0 do not change a bit", arguments: adapted, levels)
    func zero(adapted: Adapted, level: KernelLevel) throws {
        let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
        let model = try adapted.model(scale: 0, compute)
        let plain = try TestModel(Fixture(name: adapted.name), compute: compute)
        let tokens = [Int32](3..<60)
        for kind in [RowKind.prompt, .answer] {
            #expect(try model.logits(after: tokens, kind, chunk: 8) == plain.logits(after: tokens, kind, chunk: 8))
        }
    }

    @Test("a sequence's own scales replace the model's", arguments: adapted)
    func scalesOfSequence(adapted: Adapted) throws {
        let tokens = [Int32](3..<60)
        let loaded = try adapted.model(scale: 0.75)
        let asked = try adapted.model(scale: 0)
        let state = try asked.model.makeState(capacity: 512, adapterScales: adapted.adapters.map { _ in 0.75 })
        #expect(try asked.logits(after: tokens, state: state) == loaded.logits(after: tokens))
        let fork = state.fork()
        #expect(fork.adapterScales == state.adapterScales)
    }

    @Test("sequences with other scales in the same pass do not change a bit", arguments: adapted, levels)
    func batching(adapted: Adapted, level: KernelLevel) throws {
        let compute = Compute(kernels: Kernels.table(for: level), threads: 2)
        let model = try adapted.model(scale: 1, compute)
        let pairs: [[Float]] = [[0, 0], [1, 0], [1, 1], [0, -0.5], [0.25, 0], [1, 0]]
        let choices = pairs.map { Array($0.prefix(adapted.adapters.count)) }
        let conversations = try choices.enumerated().map { index, scales in
            let tokens = (0..<Int32(20 + index)).map { ($0 * 7 + Int32(index) * 31) % 300 + 20 }
            return try Conversation(tokens: tokens, scales, model)
        }
        // Prompts together, in chunks that differ for each; then the answers' tokens together.
        var random = SeededRandomNumberGenerator(seed: 5)
        for kind in [RowKind.prompt, .answer] {
            while let _ = conversations.first(where: { $0.rest(kind) > 0 }) {
                var batch = Batch(of: kind)
                var expected: [[Float]] = []
                for conversation in conversations.shuffled(using: &random) where conversation.rest(kind) > 0 {
                    expected += conversation.append(
                        Int.random(in: 1...min(conversation.rest(kind), 6), using: &random), to: &batch)
                }
                let found = try model.model.forward(batch, compute) { logits in
                    (0..<logits.rowCount).map { Array(logits[$0]) }
                }
                #expect(found == expected)
            }
        }
        #expect(conversations[0].alone.last != conversations[1].alone.last)
    }

    @Test("the scratch memory counted in advance includes adapters", arguments: adapted, [RowKind.answer, .prompt])
    func scratch(adapted: Adapted, kind: RowKind) throws {
        let (counted, taken) = try adapted.model(scale: 1).scratchOfLastToken(kind)
        #expect(taken == counted)
    }

    @Test("segments computed with other scales are not restored")
    func segments() throws {
        let model = try Self.model("lfm2-tied-f32", ["all"], scales: [1])
        let (one, other) = (try model.makeState(), try model.model.makeState(capacity: 512, adapterScales: [0.5]))
        _ = try model.logits(after: [Int32](0..<Int32(StateSegment.length)), state: one)
        other.restore(one.finishedSegments())
        #expect(other.position == 0)
        one.restore(one.finishedSegments())
        #expect(one.position == StateSegment.length)
    }

    @Test(
        "scales that do not fit the adapters are refused", arguments: [[], [1, 1], [.nan], [-.infinity]] as [[Float]])
    func wrongScales(scales: [Float]) throws {
        let model = try Self.model("lfm2-tied-f32", ["all"], scales: [1])
        #expect {
            try model.model.makeState(capacity: 10, adapterScales: scales)
        } throws: { error in
            "\(error)".hasSuffix("but must be 1 finite numbers, one for each adapter of the model")
        }
    }

    /// A fixture with adapters.
    static func model(
        _ name: String, _ adapters: [String], scales: [Float], _ compute: Compute = Compute(threads: 2)
    ) throws -> TestModel {
        let files = try zip(adapters, scales).map { adapter, scale in
            Adapter(try LoRAFile(GGUFFile(path: AdapterFixtures.path(adapter, of: name))), scale: scale)
        }
        return try TestModel(Fixture(name: name), adapters: files, compute: compute)
    }
}

/// Tokens of which the last four are an answer's, and the logits when the sequence is computed alone.
private final class Conversation {
    private let tokens: [Int32]
    private let state: SequenceState
    /// After the prompt, then after every token of the answer.
    let alone: [[Float]]

    private var promptLength: Int { tokens.count - 4 }
    /// Tokens in the batch that is being built or was computed last.
    private var appended = 0

    init(tokens: [Int32], _ scales: [Float], _ model: TestModel) throws {
        self.tokens = tokens
        let own = try model.model.makeState(capacity: 512, adapterScales: scales)
        var logits = [try model.logits(after: Array(tokens.dropLast(4)), state: own)]
        for token in tokens.suffix(4) { logits.append(try model.logits(after: [token], .answer, state: own)) }
        alone = logits
        state = try model.model.makeState(capacity: 512, adapterScales: scales)
    }

    /// The tokens that are left of the prompt, or after it.
    func rest(_ kind: RowKind) -> Int { (kind == .prompt ? promptLength : tokens.count) - state.position }

    /// Appends tokens.
    ///
    /// - Returns: The logits that the pass must give.
    func append(_ count: Int, to batch: inout Batch) -> [[Float]] {
        let range = state.position..<state.position + count
        for index in range {
            batch.append(token: tokens[index], to: state, wantsLogits: index >= promptLength - 1)
        }
        return range.filter { $0 >= promptLength - 1 }.map { alone[$0 - promptLength + 1] }
    }
}
