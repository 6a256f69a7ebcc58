import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapEngine

/// A context that does not fit into memory is refused before allocation.
@Suite("Context size")
struct ContextSizeTests {
    private static func model() throws -> LanguageModel {
        try LanguageModel.load(GGUFFile(path: Fixture(name: "lfm2-tied-f32").path))
    }

    @Test("a requested context that does not fit is refused with the size that would")
    func refused() throws {
        let (model, compute) = (try Self.model(), Compute(threads: 1))
        let limit = model.configuration.contextLength
        let needed = try model.memoryPlan(contextSize: limit, compute).privateBytes
        #expect(try model.contextSize(limit, within: needed, compute) == limit)

        let fitting = try model.largestContext(within: needed - 1, compute)
        #expect((1..<limit).contains(fitting))
        #expect(try model.memoryPlan(contextSize: fitting, compute).privateBytes < needed)
        #expect(try model.memoryPlan(contextSize: fitting + 1, compute).privateBytes >= needed)
        #expect {
            try model.contextSize(limit, within: needed - 1, compute)
        } throws: { error in
            "\(error)"
                == "a context of \(limit) tokens needs \(needed) bytes of memory, but only \(needed - 1) are available: "
                + "use a context of at most \(fitting) tokens, or free some memory"
        }
    }

    @Test("the default context is the largest that fits")
    func chosen() throws {
        let (model, compute) = (try Self.model(), Compute(threads: 1))
        let limit = model.configuration.contextLength
        let needed = try model.memoryPlan(contextSize: limit, compute).privateBytes
        #expect(try model.contextSize(nil, within: .max, compute) == limit)
        let fitting = try model.largestContext(within: needed - 1, compute)
        #expect(try model.contextSize(nil, within: needed - 1, compute) == fitting)
        #expect(throws: EngineError.self) { try model.contextSize(nil, within: 0, compute) }
    }

    @Test("the available memory is read from the system")
    func available() {
        #expect(SystemMemory.available > 1 << 20)
    }
}
