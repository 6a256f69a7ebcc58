import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

@Suite(.enabled(if: ReferenceCounter.isAvailable)) struct ReferenceCountTests {
    @Test(
        "A forward pass counts no references", .serialized,
        arguments: ["lfm2-k-quants", "lfm2-tied-f32", "llama-q4_k"], [1, 3, 40])
    func none(name: String, rows: Int) throws {
        // One thread, the calling one: what other tests do on theirs does not count.
        let model = try TestModel(Fixture(name: name), compute: Compute(threads: 1))
        let states = try (0..<2).map { _ in try model.makeState() }
        var batch = Batch()
        var counts = ReferenceCounter.Counts()
        // The first pass allocates; a later one finds everything in place.
        for _ in 0..<3 {
            batch.removeAll()
            for row in 0..<rows {
                batch.append(token: Int32(row), to: states[row % states.count], wantsLogits: row == rows - 1)
            }
            counts = try references(in: batch, model.model, model.compute)
        }
        #expect(counts == ReferenceCounter.Counts())
    }

    /// Counts what a pass counts. The parameters are borrowed, so that this function counts nothing.
    private func references(
        in batch: borrowing Batch, _ model: borrowing LanguageModel, _ compute: borrowing Compute
    ) throws -> ReferenceCounter.Counts {
        try ReferenceCounter.count(onAllThreads: false) { _ = try model.forward(batch, compute) }
    }
}
