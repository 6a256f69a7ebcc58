/// The hyper-parameters of a published model.
struct ModelShape: Hashable, Sendable {
    enum Architecture: String, Sendable {
        case gemma3
        case lfm2
        case lfm2moe
        case llama
        case qwen3
        case qwen35
        case gptOSS = "gpt-oss"

        /// Whether blocks may have short convolutions.
        var isLFM2: Bool { self == .lfm2 || self == .lfm2moe }

        /// Whether queries and keys have norms.
        var hasHeadNorms: Bool { self != .llama && self != .gptOSS }

        /// Whether branches have norms after them.
        var hasOutputNorms: Bool { self == .gemma3 }
    }

    /// The mixture of experts of most blocks.
    struct Experts: Hashable, Sendable {
        let count: Int
        let used: Int
        let feedForwardLength: Int
        /// Leading blocks with a single dense network.
        let leadingDenseBlocks: Int
    }

    /// The gated delta rule of the blocks without attention: all except every `interval`-th.
    struct DeltaNet: Hashable, Sendable {
        let keyHeads: Int
        let valueHeads: Int
        let dimension: Int
        let interval: Int
        /// Taps of its convolution.
        let taps: Int

        /// Elements of a row's queries, keys and values.
        var channels: Int { (2 * keyHeads + valueHeads) * dimension }
        /// Elements of a row's values.
        var valueWidth: Int { valueHeads * dimension }
    }

    /// How Llama 3's rotary frequencies are scaled.
    ///
    /// Source: the `rope_scaling` of the models' configuration files.
    struct Llama3Scaling: Hashable, Sendable {
        let factor: Float
        var lowFrequencyFactor: Float = 1
        var highFrequencyFactor: Float = 4
        var originalContextLength: Float = 8192
    }

    /// How rotary frequencies are scaled by YaRN.
    ///
    /// Source: the `rope_scaling` of the models' configuration files.
    struct YaRN: Hashable, Sendable {
        let factor: Float
        let originalContextLength: Int
    }

    /// The name on the command line.
    let name: String
    /// `general.name`
    let title: String
    /// `general.size_label`
    let sizeLabel: String
    let architecture: Architecture
    var blockCount: Int
    let embeddingLength: Int
    let feedForwardLength: Int
    let headCount: Int
    /// Key/value heads of the blocks with attention.
    let keyValueHeadCount: Int
    let headDimension: Int
    /// The blocks with attention; the others have a short convolution, or ``deltaNet``. `nil` means all.
    var attentionBlocks: Set<Int>?
    var deltaNet: DeltaNet?
    /// Rotated elements of a head; `nil` for all.
    var rotaryDimensions: Int?
    /// The window of the blocks with sliding-window attention; `nil` if all attention is global.
    var window: Int?
    let rotaryBase: Float
    var llama3Scaling: Llama3Scaling?
    var yarn: YaRN?
    /// `nil` if every block has a single network.
    var experts: Experts?
    var normEpsilon: Float = 1e-5
    let contextLength: Int
    /// Whether the output projection is the embedding.
    var isTied = true
    let vocabulary: Vocabulary

    /// Taps of LFM2's short convolution.
    static let convolutionTaps = 3

    /// The useful numbers of blocks: llama.cpp does not run a model without attention.
    var blockCounts: ClosedRange<Int> { min((attentionBlocks?.min() ?? 0) + 1, blockCount)...blockCount }

    /// The key/value heads of a block; 0 if it has no attention.
    func keyValueHeadCount(ofBlock block: Int) -> Int {
        attentionBlocks?.contains(block) ?? true ? keyValueHeadCount : 0
    }

    /// The experts of a block; `nil` if it has a single network.
    func experts(ofBlock block: Int) -> Experts? {
        guard let experts, block >= experts.leadingDenseBlocks else { return nil }
        return experts
    }

    /// Query heads that share a key/value head in the first block, which determines the mix for all blocks.
    var queriesPerKey: Int {
        let keyValueHeads = keyValueHeadCount(ofBlock: 0)
        return keyValueHeads == 0 ? 0 : headCount / keyValueHeads
    }
}

// MARK: - Published models

extension ModelShape {
    /// The available shapes. Source: the models' configuration files.
    static let all: [ModelShape] = [
        lfm2("350M", embedding: 1024, feedForward: 4608, heads: 16),
        lfm2("700M", embedding: 1536, feedForward: 6912, heads: 24),
        lfm2("1.2B", embedding: 2048, feedForward: 8192, heads: 32),
        lfm2(
            "2.6B", blocks: 30, embedding: 2048, feedForward: 10_752, heads: 32,
            attention: [2, 5, 9, 13, 17, 21, 24, 27]),
        lfm2(
            "8B-A1B", blocks: 24, embedding: 2048, feedForward: 7168, heads: 32, attention: [2, 6, 10, 14, 18, 21],
            experts: Experts(count: 32, used: 4, feedForwardLength: 1792, leadingDenseBlocks: 2)),
        llama3(
            "3.2", "1B", blocks: 16, embedding: 2048, feedForward: 8192, heads: 32, headDimension: 64, factor: 32),
        llama3(
            "3.2", "3B", blocks: 28, embedding: 3072, feedForward: 8192, heads: 24, headDimension: 128, factor: 32),
        llama3(
            "3.1", "8B", blocks: 32, embedding: 4096, feedForward: 14_336, heads: 32, headDimension: 128, factor: 8,
            isTied: false),
        gptOSS("20B", blocks: 24, experts: 32), gptOSS("120B", blocks: 36, experts: 128),
        smolLM2("135M", blocks: 30, embedding: 576, feedForward: 1536, heads: (9, 3)),
        smolLM2("360M", blocks: 32, embedding: 960, feedForward: 2560, heads: (15, 5)),
        smolLM2("1.7B", blocks: 24, embedding: 2048, feedForward: 8192, heads: (32, 32), rotaryBase: 130_000),
        ModelShape(
            name: "qwen3-0.6b", title: "Qwen3 0.6B", sizeLabel: "0.6B", architecture: .qwen3, blockCount: 28,
            embeddingLength: 1024, feedForwardLength: 3072, headCount: 16, keyValueHeadCount: 8, headDimension: 128,
            rotaryBase: 1_000_000, normEpsilon: 1e-6, contextLength: 40_960, vocabulary: .qwen3),
        ModelShape(
            name: "qwen3.5-0.8b", title: "Qwen3.5 0.8B", sizeLabel: "0.8B", architecture: .qwen35, blockCount: 24,
            embeddingLength: 1024, feedForwardLength: 3584, headCount: 8, keyValueHeadCount: 2, headDimension: 256,
            attentionBlocks: [3, 7, 11, 15, 19, 23],
            deltaNet: DeltaNet(keyHeads: 16, valueHeads: 16, dimension: 128, interval: 4, taps: 4),
            rotaryDimensions: 64, rotaryBase: 10_000_000, normEpsilon: 1e-6, contextLength: 262_144,
            vocabulary: .qwen35),
        ModelShape(
            name: "gemma-3-1b", title: "Gemma 3 1B", sizeLabel: "1B", architecture: .gemma3, blockCount: 26,
            embeddingLength: 1152, feedForwardLength: 6912, headCount: 4, keyValueHeadCount: 1, headDimension: 256,
            window: 512, rotaryBase: 1_000_000, normEpsilon: 1e-6, contextLength: 32_768, vocabulary: .gemma3),
    ]

    /// The shape with a name, in upper or lower case.
    static func named(_ name: String) -> ModelShape? { all.first { $0.name == name.lowercased() } }

    private static func lfm2(
        _ size: String, blocks: Int = 16, embedding: Int, feedForward: Int, heads: Int,
        attention: Set<Int> = [2, 5, 8, 10, 12, 14], experts: Experts? = nil
    ) -> ModelShape {
        ModelShape(
            name: "lfm2-\(size.lowercased())", title: "LFM2 \(size)", sizeLabel: size,
            architecture: experts == nil ? .lfm2 : .lfm2moe, blockCount: blocks, embeddingLength: embedding,
            feedForwardLength: feedForward, headCount: heads,
            keyValueHeadCount: 8, headDimension: 64, attentionBlocks: attention, rotaryBase: 1_000_000,
            experts: experts, contextLength: 128_000, vocabulary: .lfm2)
    }

    private static func llama3(
        _ generation: String, _ size: String, blocks: Int, embedding: Int, feedForward: Int, heads: Int,
        headDimension: Int, factor: Float, isTied: Bool = true
    ) -> ModelShape {
        ModelShape(
            name: "llama-\(generation)-\(size.lowercased())", title: "Llama \(generation) \(size)", sizeLabel: size,
            architecture: .llama, blockCount: blocks, embeddingLength: embedding, feedForwardLength: feedForward,
            headCount: heads, keyValueHeadCount: 8, headDimension: headDimension, rotaryBase: 500_000,
            llama3Scaling: Llama3Scaling(factor: factor), contextLength: 131_072, isTied: isTied,
            vocabulary: .llama3)
    }

    private static func gptOSS(_ size: String, blocks: Int, experts: Int) -> ModelShape {
        ModelShape(
            name: "gpt-oss-\(size.lowercased())", title: "gpt-oss \(size)", sizeLabel: size, architecture: .gptOSS,
            blockCount: blocks, embeddingLength: 2880, feedForwardLength: 2880, headCount: 64, keyValueHeadCount: 8,
            headDimension: 64, window: 128, rotaryBase: 150_000, yarn: YaRN(factor: 32, originalContextLength: 4096),
            experts: Experts(count: experts, used: 4, feedForwardLength: 2880, leadingDenseBlocks: 0),
            contextLength: 131_072, isTied: false, vocabulary: .gptOSS)
    }

    private static func smolLM2(
        _ size: String, blocks: Int, embedding: Int, feedForward: Int, heads: (query: Int, keyValue: Int),
        rotaryBase: Float = 100_000
    ) -> ModelShape {
        ModelShape(
            name: "smollm2-\(size.lowercased())", title: "SmolLM2 \(size)", sizeLabel: size, architecture: .llama,
            blockCount: blocks, embeddingLength: embedding, feedForwardLength: feedForward, headCount: heads.query,
            keyValueHeadCount: heads.keyValue, headDimension: 64, rotaryBase: rotaryBase, contextLength: 8192,
            vocabulary: .smolLM2)
    }
}
