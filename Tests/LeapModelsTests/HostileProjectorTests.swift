import Foundation
import LeapGGUF
import LeapOps
import Testing
import _LeapTestSupport

@testable import LeapModels

/// Projectors with absurd numbers are refused or computed with; the process survives either way.
@Suite("Hostile projectors")
struct HostileProjectorTests {
    private static let integers = [
        "vision.embedding_length", "vision.feed_forward_length", "vision.block_count", "vision.attention.head_count",
        "vision.patch_size", "vision.image_size", "vision.projection_dim", "vision.projector.scale_factor",
    ]
    private static let numbers: [UInt64] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24, 31, 32, 33, 48, 64, 128, 255, 256, 1000, 1 << 16, 1 << 18,
        1 << 20, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max,
    ]
    private static let fractions: [Float] = [
        0, -0.0, 1, -1, 0.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e-30, 1e30,
        .infinity, -.infinity, .nan,
    ]

    /// Opens an edited file; if that succeeds, encodes two images.
    private func use(_ edited: EditedFile) throws {
        let compute = Compute(threads: 1)
        let file = try edited.encoded()
        do throws(ModelError) {
            let encoder = try VisionEncoder(file)
            let configuration = encoder.configuration
            let scale = configuration.scaleFactor
            for (columns, rows, value) in [(1, 1, Float(0.5)), (3, 2, .nan)] {
                let grid = PatchGrid(width: columns * scale, height: rows * scale)
                let patches = [Float](repeating: value, count: grid.count * configuration.patchLength)
                let made = try encoder.encode(patches, of: grid, compute)
                #expect(made.count == columns * rows)
                #expect(made.allSatisfy { $0.count == configuration.outputLength })
            }
        } catch {
            // The scale may make an image of few rows too large.
            if case .wrongPatches = error { return }
            #expect(error.isAboutTheFile, "\(error)")
        }
    }

    private func fixture(_ name: String = "mmproj-f32") throws -> GGUFFile {
        try GGUFFile(path: VisionFixture.folder.appending(path: name + ".gguf").path)
    }

    @Test("A projector with one integer changed is refused or encodes", arguments: integers)
    func oneNumber(key: String) throws {
        let file = try fixture()
        for number in Self.numbers {
            var edited = EditedFile(file)
            edited.values["clip.\(key)"] = .uint64(number)
            try use(edited)
        }
    }

    @Test("A projector with another epsilon is refused or encodes")
    func oneFraction() throws {
        let file = try fixture()
        for fraction in Self.fractions {
            var edited = EditedFile(file)
            edited.values["clip.vision.attention.layer_norm_epsilon"] = .float32(fraction)
            try use(edited)
        }
    }

    @Test("A projector with several integers changed is refused or encodes", arguments: 1...6)
    func severalNumbers(seed: UInt64) throws {
        var random = SeededRandomNumberGenerator(seed: seed)
        let names = ["mmproj-f32", "mmproj-f16", "mmproj-q8_0"]
        let files = try names.map { try fixture($0) }
        for _ in 0..<60 {
            var edited = EditedFile(files[Int.random(in: 0..<files.count, using: &random)])
            for _ in 0..<Int.random(in: 2...4, using: &random) {
                let key = Self.integers[Int.random(in: 0..<Self.integers.count, using: &random)]
                edited.values["clip.\(key)"] = .uint64(
                    Self.numbers[Int.random(in: 0..<Self.numbers.count, using: &random)])
            }
            try use(edited)
        }
    }

    @Test(
        "A projector without any one of its tensors is refused, and the error names the tensor",
        arguments: ["mmproj-f32", "mmproj-q8_0"])
    func missingTensors(name: String) throws {
        let file = try fixture(name)
        for tensor in file.tensors {
            var edited = EditedFile(file)
            edited.removedTensors = [tensor.name]
            let error = #expect(throws: ModelError.self, "\(tensor.name)") { try VisionEncoder(edited.encoded()) }
            // Without the joint QKV matrix, separate ones are expected.
            let name = tensor.name.replacing("attn_qkv.weight", with: "attn_q.weight")
            #expect(error?.description.contains(name) == true, "\(tensor.name): \(String(describing: error))")
        }
    }
}
