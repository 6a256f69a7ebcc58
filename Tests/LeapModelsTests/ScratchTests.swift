import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapModels
@testable import LeapOps

@Suite struct ScratchTests {
    static let models = [
        "lfm2-tied-f32", "lfm2-untied-f16", "lfm2-k-quants", "llama-q4_k", "qwen3-tied-f32",
        "gemma3-f32", "phi4-long-f32", "lfm2moe-f32", "lfm2moe-q4_0-q8_0", "qwen3moe-f32", "gpt-oss-f32",
        "gpt-oss-mxfp4", "qwen35-f32", "qwen35-q4_k", "qwen35moe-f32", "granitehybrid-f32",
        "granitehybrid-dense-f32",
    ].map(Fixture.init)

    @Test(
        "No pass uses more scratch memory than was counted in advance", arguments: models,
        Kernels.available.map(\.level))
    func bound(fixture: Fixture, level: KernelLevel) throws {
        let test = try TestModel(fixture, compute: Compute(kernels: Kernels.table(for: level)))
        for (kind, rows) in [RowKind.answer, .prompt].flatMap({ kind in [1, 2, 8, 9, 40, 130].map { (kind, $0) } }) {
            let states = [try test.makeState(), try test.makeState()]
            // A second pass continues from the first.
            for _ in 0..<2 {
                var batch = Batch(of: kind)
                for row in 0..<rows {
                    batch.append(
                        token: Int32(row), to: states[row * 3 / rows % 2], wantsLogits: row % 4 == 0 && rows < 10)
                }
                let bytes = test.model.scratchBytes(of: batch, .logits, test.compute)
                try test.model.forward(batch, test.compute)
                #expect(test.compute.scratch.peak <= bytes, "\(rows) rows of \(kind)")
                // Rows of a sequence share memory that is counted for each: lists, and parts of an answer.
                #expect(bytes <= (kind == .prompt ? 7 : 12) * test.compute.scratch.peak / 4, "\(rows) rows of \(kind)")
            }
        }
    }

    @Test(
        "The count equals the scratch memory of the worst pass, to the byte", arguments: models,
        [RowKind.answer, .prompt])
    func exact(fixture: Fixture, kind: RowKind) throws {
        let (counted, taken) = try TestModel(fixture).scratchOfLastToken(kind)
        #expect(taken == counted)
    }

    @Test("A pass whose scratch memory cannot be allocated changes no sequence", arguments: models)
    func refused(fixture: Fixture) throws {
        let test = try TestModel(fixture)
        let (state, untouched) = try (test.makeState(), test.makeState())
        for state in [state, untouched] { _ = try test.logits(after: [1, 2, 3], state: state) }
        var batch = Batch(of: .answer)
        batch.append(token: 4, to: state, wantsLogits: true)
        test.model.scratchSizes.record(Int.max / 2, of: .of(batch, .logits, test.compute))
        #expect {
            try test.model.forward(batch, test.compute)
        } throws: { error in
            "\(error)".hasPrefix("not enough memory: \(Int.max / 2) bytes for activations")
        }
        #expect(state.position == 3)
        #expect(try test.allLogits(of: [4, 5], state: state) == test.allLogits(of: [4, 5], state: untouched))
    }
}

extension TestModel {
    /// The scratch memory for the last token that a state has room for: counted in advance, and actually used.
    func scratchOfLastToken(_ kind: RowKind) throws -> (counted: Int, taken: Int) {
        let state = try makeState()
        _ = try logits(after: [Int32](repeating: 7, count: state.capacity - 1), state: state)
        var batch = Batch(of: kind)
        batch.append(token: 1, to: state, wantsLogits: true)
        let bytes = model.scratchBytes(of: batch, .logits, compute)
        try model.forward(batch, compute)
        return (bytes, compute.scratch.peak)
    }
}
