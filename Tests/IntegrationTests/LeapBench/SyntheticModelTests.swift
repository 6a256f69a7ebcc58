import ArgumentParser
import Foundation
import LeapBlocks
import LeapGGUF
import LeapGeneration
import LeapModels
import LeapOps
import LeapQuantize
import LeapTokenizer
import LeapToolSupport
import Testing

@testable import leap_bench

@Suite("Synthetic models")
struct SyntheticModelTests {
    /// Every type that a mix may give a tensor.
    static let types: [GGMLType] = [
        .F32, .F16, .BF16, .Q4_0, .Q4_1, .Q5_0, .Q5_1, .Q8_0, .Q2_K, .Q3_K, .Q4_K, .Q5_K, .Q6_K, .IQ4_NL, .IQ4_XS,
    ]

    /// The number of values for a mean and a deviation.
    private static let count = 1 << 16

    /// The standard error of the mean of 65,536 independent values is 0.004 of their deviation. Values of a group
    /// share a scale, and a rounded minimum moves all of them.
    private static let meanTolerance: Float = 0.03

    /// The deviation of products of a uniform quant and a uniform scale of 16 or 32 values each: the kurtosis of the
    /// scales, of which there are 2,048, gives a standard error of about 0.01.
    private static let deviationTolerance: Float = 0.04

    @Test("Random blocks have zero mean and the requested deviation", arguments: types)
    func moments(type: GGMLType) throws {
        let wanted: Float = 1 / 32
        let blocks = try #require(RandomBlocks(type, deviation: wanted))
        var random = SplitMix64(seed: 7)
        let blockCount = Self.count / type.elementsPerBlock
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: blockCount * type.bytesPerBlock, alignment: 64)
        defer { buffer.deallocate() }
        blocks.fill(buffer, &random)
        let base = try #require(UnsafeRawPointer(buffer.baseAddress))
        let values = try #require(type.block).values(at: base, blocks: blockCount)
        let mean = values.reduce(0, +) / Float(values.count)
        let deviation = (values.reduce(0) { $0 + $1 * $1 } / Float(values.count)).squareRoot()
        // A signed quant of b bits has a mean of −½, next to a deviation of at least 2^b / √12.
        let offset = wanted * Self.meanOfSignedQuants(type)
        #expect(abs(mean - offset) < Self.meanTolerance * wanted)
        #expect(abs(deviation / wanted - 1) < Self.deviationTolerance)
    }

    /// The mean of values whose quants go from −2^(b − 1) to 2^(b − 1) − 1, by their root mean square.
    private static func meanOfSignedQuants(_ type: GGMLType) -> Float {
        switch type {
        case .Q4_0: -0.5 / Float(21.5).squareRoot()
        case .Q5_0: -0.5 / Float(85.5).squareRoot()
        case .IQ4_NL: meanOfSteps
        default: 0
        }
    }

    private static let meanOfSteps: Float = {
        let steps = BlockIQ4_NL.steps.map(Float.init)
        return steps.reduce(0, +) / Float(steps.count).squareRoot()
            / steps.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }()

    @Test("Types that no mix uses are rejected", arguments: [GGMLType.I32, .F64, .IQ2_XS, .Q8_K])
    func unknownTypes(type: GGMLType) { #expect(RandomBlocks(type, deviation: 1) == nil) }

    /// A small shape of an architecture that is quick to compute.
    private static func tiny(_ architecture: ModelShape.Architecture, isTied: Bool) -> ModelShape {
        ModelShape(
            name: "tiny", title: "Tiny", sizeLabel: "1M", architecture: architecture, blockCount: 4,
            embeddingLength: 256, feedForwardLength: 512, headCount: 8, keyValueHeadCount: 2, headDimension: 32,
            attentionBlocks: architecture.isLFM2 || architecture == .qwen35 ? [1, 3] : nil,
            deltaNet: architecture == .qwen35 ? deltaNet : nil,
            rotaryDimensions: architecture == .qwen35 ? 8 : nil,
            window: [.gemma3, .gptOSS].contains(architecture) ? 16 : nil, rotaryBase: 10_000,
            llama3Scaling: architecture == .llama ? ModelShape.Llama3Scaling(factor: 8) : nil,
            yarn: architecture == .gptOSS ? ModelShape.YaRN(factor: 4, originalContextLength: 128) : nil,
            experts: experts(architecture), contextLength: 512, isTied: isTied,
            vocabulary: Vocabulary(
                preTokenizer: "smollm", size: 600, controls: Vocabulary.smolLM2.controls, beginOfText: 1,
                endOfTurn: 2, padding: 2, addsBeginOfText: false, chatTemplate: Vocabulary.smolLM2.chatTemplate))
    }

    private static let deltaNet = ModelShape.DeltaNet(
        keyHeads: 2, valueHeads: 4, dimension: 64, interval: 2, taps: 4)

    private static func experts(_ architecture: ModelShape.Architecture) -> ModelShape.Experts? {
        switch architecture {
        case .gemma3, .lfm2, .llama, .qwen3, .qwen35: nil
        case .lfm2moe: ModelShape.Experts(count: 6, used: 2, feedForwardLength: 256, leadingDenseBlocks: 1)
        case .gptOSS: ModelShape.Experts(count: 6, used: 2, feedForwardLength: 256, leadingDenseBlocks: 0)
        }
    }

    @Test(
        "Scales of MXFP4 are the powers of two nearest to the requested deviation",
        arguments: [0.5, 1, 1.3, 1.9])
    func powersOfTwo(factor: Float) throws {
        let wanted = factor / 64
        let blocks = try #require(RandomBlocks(.MXFP4, deviation: wanted))
        var random = SplitMix64(seed: 7)
        let count = Self.count / 32
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count * BlockMXFP4.byteCount, alignment: 64)
        defer { buffer.deallocate() }
        blocks.fill(buffer, &random)
        let base = try #require(UnsafeRawPointer(buffer.baseAddress))
        let values = try #require(GGMLType.MXFP4.block).values(at: base, blocks: count)
        let deviation = (values.reduce(0) { $0 + $1 * $1 } / Float(values.count)).squareRoot()
        #expect((0.69...1.44).contains(deviation / wanted))
    }

    @Test("A synthetic file loads, and its logits are finite and of moderate size", arguments: FileType.allCases)
    func loads(fileType: FileType) throws {
        for shape in [
            Self.tiny(.lfm2, isTied: true), Self.tiny(.lfm2moe, isTied: true), Self.tiny(.llama, isTied: false),
            Self.tiny(.gptOSS, isTied: false), Self.tiny(.gemma3, isTied: true), Self.tiny(.qwen3, isTied: true),
            Self.tiny(.qwen35, isTied: true),
        ] {
            let bytes = try SyntheticModel(shape: shape, fileType: fileType, seed: 3).encoded()
            let file = try GGUFFile(bytes: bytes, name: "synthetic")
            let model = try LanguageModel.load(file)
            let state = try model.makeState(capacity: 64)
            var batch = Batch(of: .prompt)
            batch.append(tokens: (0..<40).map { Int32($0 * 7) }, to: state, wantsLogits: true)
            let compute = Compute(threads: 1)
            let logits = try model.forward(batch, compute) { [Float]($0[0]) }
            #expect(Set(logits).count > 500)
            // NaN fails this comparison, too.
            #expect(logits.allSatisfy { abs($0) < 20 })
        }
    }

    @Test("The tokenizer of a synthetic file encodes any text and decodes it again")
    func tokenizes() throws {
        let model = SyntheticModel(shape: Self.tiny(.llama, isTied: true), fileType: .Q8_0, seed: 1)
        let tokenizer = try Tokenizer(metadata: try GGUFFile(bytes: try model.encoded(), name: "synthetic").metadata)
        let text = "Ba bebi, café 北京 \u{7}<|im_end|>"
        #expect(tokenizer.decode(tokenizer.encode(text, addSpecial: false, parseSpecial: false)) == text)
        #expect(tokenizer.endOfGeneration.contains(2))
    }

    @Test("The seed determines the weights")
    func seeds() throws {
        let shape = Self.tiny(.lfm2, isTied: true)
        let first = try SyntheticModel(shape: shape, fileType: .Q4_K_M, seed: 1).encoded()
        #expect(try SyntheticModel(shape: shape, fileType: .Q4_K_M, seed: 1).encoded() == first)
        #expect(try SyntheticModel(shape: shape, fileType: .Q4_K_M, seed: 2).encoded() != first)
    }

    @Test("A synthetic file is written, and synth reports an output path that is a folder")
    func writes() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("leap-bench-tests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = SyntheticModel(shape: Self.tiny(.lfm2, isTied: true), fileType: .Q4_0, seed: 1)
        let path = folder.appendingPathComponent("tiny.gguf").path
        try model.write(to: path)
        #expect(try GGUFFile(path: path).metadata.string("general.size_label") == "1M")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["tiny.gguf"])

        let command = try SynthCommand.parse(["lfm2-350m", "Q4_0", "-o", folder.path])
        let error = #expect(throws: CommandError.self) { try command.run() }
        #expect(error?.description == "\(folder.path) is a folder, but --output must name a file.")
    }
}
