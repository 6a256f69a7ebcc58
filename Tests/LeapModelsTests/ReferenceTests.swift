import Foundation
import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Forward passes compared with values that an independent implementation computed in double precision.
@Suite struct ReferenceTests {
    /// Keys and values are kept in half precision (11 bits), which moves the logits of these models by up to 2·10⁻³.
    static let halfPrecisionFloor = 2e-3

    /// How much larger than llama.cpp's error ours may be: both quantise activations to 8 bits, but round differently.
    static let margin = 1.1

    /// Smaller differences of logits are within the rounding error of any implementation.
    static let decisiveMargin: Float = 0.01

    @Test("Logits are as close to exact as llama.cpp's", arguments: Fixture.all)
    func logits(fixture: Fixture) throws {
        let reference = try FixtureReference(of: fixture)
        let model = try TestModel(fixture)
        let error = pooledError(
            try reference.prompts.map {
                rootMeanSquareError(try model.logits(after: $0.tokens), reference.floats($0.logits))
            })
        let bound = max(Self.margin * pooledError(reference.prompts.map(\.llamaCppError)), Self.halfPrecisionFloor)
        #expect(error <= bound, "root-mean-square error \(error), bound \(bound)")
    }

    @Test(
        "A model in 32-bit floats continues a prompt greedily with the reference's tokens",
        arguments: Fixture.all.filter { $0.name.contains("f32") })
    func greedy(fixture: Fixture) throws {
        let model = try TestModel(fixture)
        for prompt in try FixtureReference(of: fixture).prompts {
            let certain = prompt.margins.firstIndex { $0 < Self.decisiveMargin } ?? prompt.greedy.count
            let found = try model.greedy(after: prompt.tokens, count: certain)
            #expect(found == Array(prompt.greedy.prefix(certain)), "prompt '\(prompt.name)'")
        }
    }

    @Test(
        "The residual stream is exact after every layer", arguments: Fixture.all.filter { $0.name.contains("f32") })
    func residualStream(fixture: Fixture) throws {
        let reference = try FixtureReference(of: fixture)
        let model = try TestModel(fixture)
        for prompt in reference.prompts {
            guard let place = prompt.residualStream else { continue }
            let expected = reference.floats(place)
            let layerSize = place.shape[1] * place.shape[2]
            let layers = try model.residualStream(of: prompt.tokens)
            #expect(layers.count == place.shape[0])
            for (layer, found) in layers.enumerated() {
                let start = expected.startIndex + layer * layerSize
                let error = rootMeanSquareError(found, expected[start..<start + layerSize])
                #expect(error <= Self.halfPrecisionFloor, "layer \(layer): \(error)")
            }
        }
    }

    @Test("A changed weight exceeds the tolerance, whichever tensor has it")
    func sensitivity() throws {
        let fixture = Fixture(name: "lfm2-tied-f32")
        let reference = try FixtureReference(of: fixture)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: fixture.path)))
        let tensors = try GGUFFile(path: fixture.path).tensors
        for tensor in tensors {
            var changed = bytes
            changed.replaceSubrange(tensor.fileOffset..<tensor.fileOffset + 4, with: littleEndian(Float(5).bitPattern))
            let model = TestModel(try LanguageModel.load(GGUFFile(bytes: changed, name: "changed.gguf")))
            let error = pooledError(
                try reference.prompts.map {
                    rootMeanSquareError(try model.logits(after: $0.tokens), reference.floats($0.logits))
                })
            #expect(error > 10 * Self.halfPrecisionFloor, "\(tensor.name): \(error)")
        }
    }
}
