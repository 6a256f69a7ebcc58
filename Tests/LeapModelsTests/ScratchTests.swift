import LeapBlocks
import LeapKernels
import Testing
import _LeapTestSupport

@testable import LeapModels
@testable import LeapOps

@Suite struct ScratchTests {
    static let models = ["lfm2-tied-f32", "lfm2-untied-f16", "lfm2-k-quants", "llama-q4_k", "qwen3-tied-f32"]
        .map(Fixture.init)

    @Test(
        "A pass takes the scratch memory that was counted for it", arguments: models, Kernels.available.map(\.level))
    func exact(fixture: Fixture, level: KernelLevel) throws {
        let test = try TestModel(fixture, compute: Compute(kernels: Kernels.table(for: level)))
        for (kind, rows) in [RowKind.answer, .prompt].flatMap({ kind in [1, 2, 8, 9, 40, 130].map { (kind, $0) } }) {
            let states = [try test.makeState(), try test.makeState()]
            // A second pass goes on from the first.
            for _ in 0..<2 {
                var batch = Batch(of: kind)
                for row in 0..<rows {
                    batch.append(
                        token: Int32(row), to: states[row * 3 / rows % 2], wantsLogits: row % 4 == 0 && rows < 10)
                }
                let size = test.model.scratchSize(of: batch, test.compute)
                try test.model.forward(batch, test.compute)
                #expect(test.compute.scratch.peak == size.peak, "\(rows) rows of \(kind)")
            }
        }
    }
}
