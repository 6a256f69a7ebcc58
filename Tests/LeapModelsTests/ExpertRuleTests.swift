import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Metadata keys about experts change the computation.
@Suite struct ExpertRuleTests {
    /// A key of `lfm2moe-f32`, a value for it, and whether that differs from the file's.
    static let keys: [(key: String, value: GGUFValue, isAnother: Bool)] = [
        ("expert_weights_scale", .float32(0), false), ("expert_weights_scale", .float32(1), false),
        ("expert_weights_scale", .float32(2), true), ("expert_weights_norm", .bool(true), false),
        ("expert_weights_norm", .bool(false), true), ("expert_gating_func", .uint32(0), false),
        ("expert_gating_func", .uint32(2), false), ("expert_gating_func", .uint32(1), true),
        ("expert_used_count", .uint32(2), false), ("expert_used_count", .uint32(1), true),
        ("expert_shared_count", .uint32(0), false), ("expert_group_count", .uint32(1), false),
    ]

    @Test("Each expert key changes the logits, and its neutral value does not", arguments: keys)
    func obeyed(key: String, value: GGUFValue, isAnother: Bool) throws {
        let plain = try Self.logits { _ in }
        let edited = try Self.logits { $0.values["lfm2moe.\(key)"] = value }
        #expect(edited.allSatisfy { $0.isFinite })
        #expect((edited != plain) == isAnother)
    }

    @Test("The memory plan's scratch memory includes the rows of all used experts")
    func memoryPlan() throws {
        let file = try GGUFFile(path: Fixture(name: "lfm2moe-f32").path)
        var one = EditedFile(file)
        one.values["lfm2moe.expert_used_count"] = .uint32(1)
        let compute = Compute(threads: 1)
        let (few, many) = try (LanguageModel.load(one.encoded()), LanguageModel.load(file))
        let fewBytes = try few.memoryPlan(contextSize: 512, compute).scratchBytes
        let manyBytes = try many.memoryPlan(contextSize: 512, compute).scratchBytes
        // One more input row for each row, and the expert's output for it.
        let rows = LanguageModel.chunkSize * few.configuration.embeddingLength * MemoryLayout<Float>.size
        #expect(manyBytes >= fewBytes + 2 * rows)
    }

    private static func logits(_ edit: (inout EditedFile) -> Void) throws -> [Float] {
        var edited = EditedFile(try GGUFFile(path: Fixture(name: "lfm2moe-f32").path))
        edit(&edited)
        return try TestModel(LanguageModel.load(edited.encoded())).logits(after: [5, 60, 7, 200, 9])
    }
}
