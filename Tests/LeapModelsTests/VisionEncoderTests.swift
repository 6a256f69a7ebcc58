import Foundation
import LeapBlocks
import LeapGGUF
import LeapKernels
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// A projector of `Fixtures/vision/` with the rows that an independent implementation computes in double precision.
struct VisionFixture: Sendable, CustomStringConvertible {
    let name: String
    /// Root-mean-square error against the exact rows, relative to them. For 32-bit weights it is rounding only.
    /// Activations are rounded to half precision where weights are, which costs less than llama.cpp's tables of GELU
    /// (4.3 · 10⁻⁴), and to 8 bits where weights are (llama.cpp: 1.1 · 10⁻²).
    let tolerance: Double

    static let all = [
        VisionFixture(name: "mmproj-f32", tolerance: 2e-6), VisionFixture(name: "mmproj-f16", tolerance: 4e-4),
        VisionFixture(name: "mmproj-q8_0", tolerance: 2e-2),
    ]

    static let folder = Fixture.folder.appending(path: "vision")

    var path: String { Self.folder.appending(path: name + ".gguf").path }
    var description: String { name }

    /// A picture, and its rows.
    struct Case: Decodable {
        let width: Int
        let height: Int
        let rows: FixtureReference.Place
        /// Root-mean-square error of llama.cpp's rows against the exact ones.
        let llamaCppError: Double

        /// The pixels of the formula, normalised, as patches.
        var patches: [Float] {
            let side = 16
            var values: [Float] = []
            for patch in 0..<width / side * (height / side) {
                let (left, top) = (patch % (width / side) * side, patch / (width / side) * side)
                for color in 0..<3 {
                    for y in top..<top + side {
                        for x in left..<left + side {
                            let byte = (37 * x + 101 * y + 59 * color + x * y) & 255
                            values.append((Float(byte) / 255 - 0.5) / 0.5)
                        }
                    }
                }
            }
            return values
        }

        var grid: PatchGrid { PatchGrid(width: width / 16, height: height / 16) }
    }

    private struct Index: Decodable { let cases: [Case] }

    func cases() throws -> [(picture: Case, rows: [Float])] {
        let index = try JSONDecoder().decode(
            Index.self, from: Data(contentsOf: Self.folder.appending(path: name + ".json")))
        let floats = try FixtureReference.floats(in: Self.folder.appending(path: name + ".f32.bin"))
        return index.cases.map { picture in
            let start = picture.rows.offset
            return (picture, Array(floats[start..<start + picture.rows.shape[0] * picture.rows.shape[1]]))
        }
    }
}

@Suite struct VisionEncoderTests {
    @Test("Rows match an independent implementation at every level", arguments: VisionFixture.all)
    func rows(fixture: VisionFixture) throws {
        let encoder = try VisionEncoder(GGUFFile(path: fixture.path))
        for level in Kernels.available.map(\.level) {
            let compute = Compute(kernels: Kernels.table(for: level))
            for (picture, expected) in try fixture.cases() {
                let found = try encoder.encode(picture.patches, of: picture.grid, compute)
                let error = relativeError(found, expected)
                #expect(error <= fixture.tolerance, "\(level), \(picture.width) x \(picture.height): \(error)")
            }
        }
    }

    @Test("Rows are as close to exact as llama.cpp's, at every level", arguments: VisionFixture.all)
    func peer(fixture: VisionFixture) throws {
        let encoder = try VisionEncoder(GGUFFile(path: fixture.path))
        let cases = try fixture.cases()
        let bound = 1.1 * pooledError(cases.map(\.picture.llamaCppError))
        for level in Kernels.available.map(\.level) {
            let compute = Compute(kernels: Kernels.table(for: level))
            let errors = try cases.map { picture, expected in
                rootMeanSquareError(
                    try encoder.encode(picture.patches, of: picture.grid, compute).flatMap(\.self), expected)
            }
            #expect(pooledError(errors) <= bound, "\(level): \(pooledError(errors) / bound * 1.1)")
        }
    }

    @Test("Rows do not depend on the number of threads", arguments: VisionFixture.all)
    func threads(fixture: VisionFixture) throws {
        let encoder = try VisionEncoder(GGUFFile(path: fixture.path))
        let picture = try #require(try fixture.cases().first).picture
        let alone = try encoder.encode(picture.patches, of: picture.grid, Compute(threads: 1))
        #expect(try encoder.encode(picture.patches, of: picture.grid, Compute()) == alone)
    }

    @Test("A changed pixel exceeds the tolerance")
    func sensitivity() throws {
        let fixture = VisionFixture.all[0]
        let encoder = try VisionEncoder(GGUFFile(path: fixture.path))
        let (picture, expected) = try #require(try fixture.cases().first)
        var patches = picture.patches
        patches[0] += 1
        let found = try encoder.encode(patches, of: picture.grid, Compute())
        #expect(relativeError(found, expected) > 100 * fixture.tolerance)
    }

    @Test("Encoding can be cancelled between the parts of a layer")
    func cancellation() throws {
        let fixture = VisionFixture.all[0]
        let encoder = try VisionEncoder(GGUFFile(path: fixture.path))
        let picture = try #require(try fixture.cases().first).picture
        for parts in 0..<5 * encoder.configuration.blockCount {
            var asked = 0
            #expect(throws: ModelError.self) {
                try encoder.encode(picture.patches, of: picture.grid, Compute()) {
                    asked += 1
                    return asked <= parts
                }
            }
            #expect(asked == parts + 1)
        }
    }

    @Test(
        "Patches that do not match a valid grid are refused",
        arguments: [
            (PatchGrid(width: 3, height: 2), 6), (PatchGrid(width: 2, height: 2), 3),
            (PatchGrid(width: 0, height: 2), 0),
            (PatchGrid(width: -2, height: -2), 4), (PatchGrid(width: Int.max - 1, height: 2), 4),
        ])
    func wrongPatches(grid: PatchGrid, count: Int) throws {
        let encoder = try VisionEncoder(GGUFFile(path: VisionFixture.all[0].path))
        #expect(throws: ModelError.self) {
            try encoder.encode([Float](repeating: 0, count: count * 768), of: grid, Compute())
        }
    }

    @Test("A grid with too long a side is refused for its size")
    func hugeGrid() throws {
        let encoder = try VisionEncoder(GGUFFile(path: VisionFixture.all[0].path))
        for grid in [PatchGrid(width: 2, height: 4098), PatchGrid(width: 4098, height: 2)] {
            #expect {
                try encoder.encode([], of: grid, Compute())
            } throws: {
                "\($0)".hasSuffix("is too large: its sides must be at most 4096 patches")
            }
        }
    }

    @Test("A model is refused as a projector, and a projector as a model")
    func wrongFile() throws {
        let model = Fixture(name: "lfm2-tied-f32")
        #expect {
            try VisionEncoder(GGUFFile(path: model.path))
        } throws: {
            "\($0)".contains("the file has architecture 'lfm2', but a projector has")
        }
        #expect {
            try LanguageModel.load(GGUFFile(path: VisionFixture.all[0].path))
        } throws: {
            "\($0)".contains("the file is a projector (vision or audio encoder), not a language model")
        }
    }

    /// Changes that make a projector invalid, and a text that the error must contain.
    static let damages: [(change: [String: HandmadeValue], text: String)] = [
        (["clip.projector_type": .string("mlp")], "clip.projector_type = mlp is not supported"),
        (["clip.has_vision_encoder": .bool(false)], "clip.has_vision_encoder is not true"),
        (["clip.use_gelu": .bool(false)], "clip.use_gelu = false is not supported"),
        (["clip.use_silu": .bool(true)], "clip.use_silu = true is not supported"),
        (["clip.vision.patch_size": .integer(0)], "clip.vision.patch_size"),
        (["clip.vision.patch_size": .integer(8)], "v.patch_embd.weight"),
        (["clip.vision.projector.scale_factor": .integer(0)], "clip.vision.projector.scale_factor"),
        (["clip.vision.projector.scale_factor": .integer(3)], "does not divide"),
        (
            ["clip.vision.patch_size": .integer(129), "clip.vision.projector.scale_factor": .integer(2)],
            "is 258 pixels per row"
        ),
        (["clip.vision.attention.head_count": .integer(7)], "must be a multiple of the 7 heads"),
        (["clip.vision.block_count": .integer(0)], "clip.vision.block_count"),
        (["clip.vision.block_count": .integer(2000)], "clip.vision.block_count"),
        (["clip.vision.block_count": .integer(4)], "v.blk.3"),
        (["clip.vision.image_std": .floats([0.5, 0, 0.5])], "clip.vision.image_std"),
        (["clip.vision.image_std": .floats([0.5, .nan, 0.5])], "clip.vision.image_std"),
        (["clip.vision.image_mean": .floats([0.5])], "clip.vision.image_mean"),
        (["clip.vision.attention.layer_norm_epsilon": .floats([])], "layer_norm_epsilon"),
    ]

    /// A value of a changed key.
    enum HandmadeValue: Sendable {
        case string(String)
        case bool(Bool)
        case integer(Int)
        case floats([Float])

        func set(_ key: String, in writer: inout GGUFWriter) {
            switch self {
            case .string(let text): writer.set(key, .string(text))
            case .bool(let flag): writer.set(key, .bool(flag))
            case .integer(let number): writer.set(key, .uint32(UInt32(number)))
            case .floats(let numbers): writer.set(key, array: numbers)
            }
        }
    }

    @Test("An invalid projector is refused, and the error names the cause", arguments: damages)
    func damaged(change: [String: HandmadeValue], text: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.path("mmproj.gguf")
        try write(change, to: path)
        #expect {
            _ = try VisionEncoder(GGUFFile(path: path))
        } throws: {
            "\($0)".contains(text)
        }
    }

    /// The projector of 32-bit weights with other values of some keys.
    private func write(_ changes: [String: HandmadeValue], to path: String) throws {
        let file = try GGUFFile(path: VisionFixture.all[0].path)
        var writer = GGUFWriter()
        writer.add(contentsOf: file.metadata)
        for (key, value) in changes { value.set(key, in: &writer) }
        for tensor in file.tensors { try writer.addTensor(tensor) }
        try writer.write(to: path) { output in
            for tensor in file.tensors { try output.append(tensor.bytes) }
        }
    }
}
