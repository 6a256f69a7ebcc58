import LeapBlocks
import LeapKernels
import Testing

@Suite("Kernel levels")
struct KernelsTests {
    @Test("the portable level is always available, and last")
    func portable() {
        #expect(Kernels.available.last?.level == .portable)
        #expect(Kernels.table(for: .portable)?.level == .portable)
    }

    @Test("the best level is the first of the available ones, which are unique")
    func best() {
        #expect(Kernels.best.level == levels.first)
        #expect(Set(levels).count == levels.count)
        for level in KernelLevel.allCases {
            #expect((Kernels.table(for: level) != nil) == levels.contains(level))
        }
    }

    @Test("every level has functions for every weight type and its activations", arguments: levels)
    func complete(level: KernelLevel) throws {
        let table = try kernels(level)
        for type in GGMLType.allCases {
            #expect((table[type] != nil) == type.isSupportedWeight, "\(type)")
            guard let activationType = type.activationType, activationType != .F32 else { continue }
            #expect(table.quantizer(to: activationType) != nil, "\(activationType)")
        }
        #expect(table.quantizer(to: .F32) == nil)
    }
}
