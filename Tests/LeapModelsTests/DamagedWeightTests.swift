import Foundation
import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// NaN in a file: the results computed with it must not look valid.
@Suite("Damaged weights")
struct DamagedWeightTests {
    /// The damage to a block of a matrix: all bits are set, which is NaN in every type that has scales.
    private static let damage: UInt8 = 0xFF

    @Test(
        "a block of NaN in any matrix makes logits non-finite",
        arguments: ["lfm2-q8_0-q4_0", "lfm2-k-quants", "lfm2-untied-f16", "llama-biases-bf16", "llama-tied-f32"],
        [RowKind.answer, .prompt])
    func blocks(fixture: String, kind: RowKind) throws {
        let path = Fixture(name: fixture).path
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let tensors = try GGUFFile(path: path).tensors.filter {
            $0.dimensions.count == 2 && !$0.name.hasSuffix(".conv.weight")
        }
        #expect(!tensors.isEmpty)
        for tensor in tensors {
            var damaged = bytes
            for place in 0..<tensor.type.bytesPerBlock { damaged[tensor.fileOffset + place] = Self.damage }
            let model = try LanguageModel.load(GGUFFile(bytes: damaged, name: "damaged.gguf"))
            for level in Kernels.available {
                let compute = Compute(kernels: level, threads: 1)
                let state = try model.makeState(capacity: 32)
                var batch = Batch(of: kind)
                // The first token, whose embedding is the damaged one.
                batch.append(tokens: repeatElement(0, count: 20), to: state, wantsLogits: true)
                try model.forward(batch, compute) { logits in
                    #expect(logits[0].contains { !$0.isFinite }, "\(tensor.name), \(level.level)")
                }
            }
        }
    }
}
