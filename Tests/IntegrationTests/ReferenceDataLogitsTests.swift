import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// The figures of one model in a folder of reference data, which the environment variable `LEAP_GOLDENS` may name.
/// `docs/measuring.md` describes the folder.
private struct ReferenceLogits: Decodable {
    struct Prompt: Decodable {
        let promptIds: [Int32]
    }

    struct Exact: Decodable {
        struct Result: Decodable {
            let exactLogitsFile: String
            let exactGreedyIds: [Int32]
            let exactGreedyMargin: [Float]
            let layersFile: String?
            let layersShape: [Int]?
            let llamaCppRmsErr: Double
        }
        let results: [Result]
    }

    let model: String
    let results: [Prompt]
    let exact: Exact

    /// Prompts with what must follow from them.
    var cases: [(prompt: [Int32], exact: Exact.Result)] {
        zip(results, exact.results).map { ($0.promptIds, $1) }
    }

    static let folder = ProcessInfo.processInfo.environment["LEAP_GOLDENS"].map { URL(filePath: $0) }

    /// The files with figures.
    static let files: [String] = {
        guard let folder else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "logits").path)
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }()

    static func load(_ file: String) throws -> ReferenceLogits {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(ReferenceLogits.self, from: data(file))
    }

    /// Little-endian floats.
    static func floats(_ file: String) throws -> [Float] {
        try data(file).withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map {
                Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self)))
            }
        }
    }

    private static func data(_ file: String) throws -> Data {
        try Data(contentsOf: #require(folder).appending(path: "logits").appending(path: file))
    }
}

/// A model of the folder, ready to compute.
private struct LoadedReferenceModel {
    private let model: LanguageModel
    private let compute = Compute()

    init(_ reference: ReferenceLogits) throws {
        let folder = try #require(ReferenceLogits.folder)
        model = try LanguageModel.load(GGUFFile(path: folder.appending(path: "models/\(reference.model)").path))
    }

    var isFloat32: Bool { model.file.tensors.allSatisfy { $0.type == .F32 } }

    /// Logits after `tokens` and then after each token that `next` makes of them, until it makes none.
    func run(_ tokens: [Int32], next: ([Float]) -> Int32? = { _ in nil }) throws {
        let state = try model.makeState(capacity: model.configuration.contextLength)
        var input = tokens
        while true {
            var batch = Batch(of: state.position == 0 ? .prompt : .answer)
            batch.append(tokens: input, to: state, wantsLogits: true)
            guard let token = next(try model.forward(batch, compute) { Array($0[0]) }) else { return }
            input = [token]
        }
    }

    /// The residual stream after every layer, `[tokens, embedding]` each.
    func residualStream(_ tokens: [Int32]) throws -> [[Float]] {
        var batch = Batch(of: .prompt)
        batch.append(tokens: tokens, to: try model.makeState(capacity: tokens.count), wantsLogits: true)
        var layers: [[Float]] = []
        let observer: LayerObserver = { _, part, rows in
            guard part == .feedForward else { return true }
            layers.append(Array(UnsafeBufferPointer(start: rows.base, count: rows.count * rows.width)))
            return true
        }
        try model.forward(batch, compute, observer: observer)
        return layers
    }
}

@Suite(.enabled(if: ReferenceLogits.folder != nil, "LEAP_GOLDENS names no folder of reference data"))
struct ReferenceDataLogitsTests {
    /// What rounding keys and values to half precision (11 bits) may change; llama.cpp's figures are without it.
    private static let halfPrecisionFloor = 2e-3

    /// How much larger than llama.cpp's our error may be: both quantise activations to 8 bits, but round differently.
    private static let margin = 1.1

    /// Differences of logits below this are within the rounding of any implementation.
    private static let decisiveMargin: Float = 0.01

    /// Relative error of the residual stream of a quantised model. Activations of 8 bits are off by up to 1/254 of a
    /// block's largest, four products deep in each of a few layers.
    private static let quantizedStreamTolerance = 0.04

    @Test("The folder has figures")
    func figures() { #expect(!ReferenceLogits.files.isEmpty) }

    @Test(
        "Logits are as close to exact as llama.cpp's, pooled over a model's prompts", arguments: ReferenceLogits.files)
    func logits(file: String) throws {
        let reference = try ReferenceLogits.load(file)
        let model = try LoadedReferenceModel(reference)
        var squares = 0.0
        var peerSquares = 0.0
        for (prompt, exact) in reference.cases {
            let expected = try ReferenceLogits.floats(exact.exactLogitsFile)
            try model.run(prompt) { found in
                let error = rootMeanSquareError(found, expected)
                squares += error * error
                return nil
            }
            peerSquares += exact.llamaCppRmsErr * exact.llamaCppRmsErr
        }
        let count = Double(reference.cases.count)
        let error = (squares / count).squareRoot()
        let bound = max(Self.margin * (peerSquares / count).squareRoot(), Self.halfPrecisionFloor)
        #expect(error <= bound, "root-mean-square error \(error), bound \(bound)")
    }

    @Test("A model in 32-bit floats continues a prompt with the exact ids", arguments: ReferenceLogits.files)
    func greedy(file: String) throws {
        let reference = try ReferenceLogits.load(file)
        let model = try LoadedReferenceModel(reference)
        guard model.isFloat32 else { return }
        for (prompt, exact) in reference.cases {
            let margins = exact.exactGreedyMargin
            let certain = margins.firstIndex { $0 < Self.decisiveMargin } ?? margins.count
            var found: [Int32] = []
            try model.run(prompt) { logits in
                guard found.count < certain, let best = logits.indices.max(by: { logits[$0] < logits[$1] })
                else { return nil }
                found.append(Int32(best))
                return Int32(best)
            }
            #expect(found == Array(exact.exactGreedyIds.prefix(certain)))
        }
    }

    @Test("The residual stream is exact after every layer, where it is given", arguments: ReferenceLogits.files)
    func residualStream(file: String) throws {
        let reference = try ReferenceLogits.load(file)
        let model = try LoadedReferenceModel(reference)
        for (prompt, exact) in reference.cases {
            guard let layersFile = exact.layersFile, let shape = exact.layersShape else { continue }
            let expected = try ReferenceLogits.floats(layersFile)
            let layers = try model.residualStream(prompt)
            #expect(shape == [layers.count, prompt.count, expected.count / layers.count / prompt.count])
            for (layer, found) in layers.enumerated() {
                let error = rootMeanSquareError(found, expected[layer * found.count..<(layer + 1) * found.count])
                let size = rootMeanSquareError(found, found.map { _ in 0 })
                let bound = model.isFloat32 ? Self.halfPrecisionFloor : Self.quantizedStreamTolerance * size
                #expect(error <= bound, "layer \(layer): error \(error) of \(size)")
            }
        }
    }
}
