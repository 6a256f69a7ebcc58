import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps
import Testing
import _LeapTestSupport

/// Reference values of one model, in the folder that the environment variable `LEAP_GOLDENS` names.
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

    /// Prompts with their expected results.
    var cases: [(prompt: [Int32], exact: Exact.Result)] {
        zip(results, exact.results).map { ($0.promptIds, $1) }
    }

    static let folder = ProcessInfo.processInfo.environment["LEAP_GOLDENS"].map { URL(filePath: $0) }

    /// The files with reference values.
    static let files: [String] = {
        guard let folder else { return [] }
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "logits").path)
        return (names ?? []).filter { $0.hasSuffix(".json") }.sorted()
    }()

    /// Those of models with F32 weights.
    static let float32Files = files.filter { (try? load($0).isFloat32) == true }

    /// Those with a residual stream.
    static let layerFiles = files.filter { file in
        (try? load(file).exact.results.contains { $0.layersFile != nil }) == true
    }

    /// The model.
    var file: GGUFFile {
        get throws { try GGUFFile(path: #require(Self.folder).appending(path: "models/\(model)").path) }
    }

    /// Whether the model has F32 weights only.
    var isFloat32: Bool { get throws { try file.tensors.allSatisfy { $0.type == .F32 } } }

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

/// A loaded model of the folder.
private struct LoadedReferenceModel {
    private let model: LanguageModel
    private let compute = Compute()

    init(_ reference: ReferenceLogits) throws {
        model = try LanguageModel.load(reference.file)
    }

    /// Passes `next` the logits after `tokens` and then after each token that it returns, until it returns nil.
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

@Suite(.enabled(if: ReferenceLogits.folder != nil, "LEAP_GOLDENS is not set to a folder of reference data"))
struct ReferenceDataLogitsTests {
    /// Error that rounding keys and values to half precision (11 bits) may cause; llama.cpp's values are without it.
    private static let halfPrecisionFloor = 2e-3

    /// Allowed ratio of our error to llama.cpp's: both quantise activations to 8 bits, but round differently.
    private static let margin = 1.1

    /// Differences of logits below this are within the rounding of any implementation.
    private static let decisiveMargin: Float = 0.01

    /// Relative error of the residual stream of a quantised model. Activations of 8 bits are off by up to 1/254 of a
    /// block's largest, four products deep in each of a few layers.
    private static let quantizedStreamTolerance = 0.04

    @Test("The folder contains reference files")
    func figures() { #expect(!ReferenceLogits.files.isEmpty) }

    @Test(
        "The logit error pooled over a model's prompts is at most 10 % above llama.cpp's",
        arguments: ReferenceLogits.files)
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

    @Test(
        "A model with F32 weights generates the exact greedy token ids",
        .enabled(if: !ReferenceLogits.float32Files.isEmpty, "no model has F32 weights"),
        arguments: ReferenceLogits.float32Files)
    func greedy(file: String) throws {
        let reference = try ReferenceLogits.load(file)
        let model = try LoadedReferenceModel(reference)
        var count = 0
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
            count += found.count
        }
        #expect(count > 0)
    }

    @Test(
        "The residual stream after each layer matches its reference",
        .enabled(if: !ReferenceLogits.layerFiles.isEmpty, "no file has a residual stream"),
        arguments: ReferenceLogits.layerFiles)
    func residualStream(file: String) throws {
        let reference = try ReferenceLogits.load(file)
        let model = try LoadedReferenceModel(reference)
        let isFloat32 = try reference.isFloat32
        for (prompt, exact) in reference.cases {
            guard let layersFile = exact.layersFile, let shape = exact.layersShape else { continue }
            let expected = try ReferenceLogits.floats(layersFile)
            let layers = try model.residualStream(prompt)
            #expect(shape == [layers.count, prompt.count, expected.count / layers.count / prompt.count])
            for (layer, found) in layers.enumerated() {
                let error = rootMeanSquareError(found, expected[layer * found.count..<(layer + 1) * found.count])
                let size = rootMeanSquareError(found, found.map { _ in 0 })
                let bound = isFloat32 ? Self.halfPrecisionFloor : Self.quantizedStreamTolerance * size
                #expect(error <= bound, "layer \(layer): error \(error) of \(size)")
            }
        }
    }
}
