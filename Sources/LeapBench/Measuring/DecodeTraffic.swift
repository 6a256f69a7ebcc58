import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// The bytes that decoding a token must read, in any implementation: weights, and the state of the sequence.
struct DecodeTraffic: Hashable {
    /// Weights: every tensor once, but of an embedding that is not the output projection too only one row, and of experts
    /// those that one row chooses.
    let weightBytes: Int
    /// Experts, where a model has some.
    let experts: Experts?
    /// Keys and values of one position, of all layers that look back on all positions.
    let keyValueBytesPerPosition: Int
    /// The same of those that look back over a window, by its positions.
    let windowedBytesPerPosition: [Int: Int]

    /// What several sequences that decode together read of experts.
    struct Experts: Hashable {
        let count: Int
        let used: Int
        /// Of all experts of all layers.
        let bytes: Int

        /// Bytes that one row reads.
        var bytesOfRow: Double { Double(bytes) * Double(used) / Double(count) }

        /// Bytes that so many rows read on average if each chose at random, independently of the others: an expert that
        /// several choose is read once.
        func bytes(ofRows rows: Int) -> Double {
            Double(bytes) * (1 - pow(1 - Double(used) / Double(count), Double(rows)))
        }
    }

    init(
        weightBytes: Int, experts: Experts? = nil, keyValueBytesPerPosition: Int,
        windowedBytesPerPosition: [Int: Int] = [:]
    ) {
        self.weightBytes = weightBytes
        self.experts = experts
        self.keyValueBytesPerPosition = keyValueBytesPerPosition
        self.windowedBytesPerPosition = windowedBytesPerPosition
    }

    init(_ model: LanguageModel) {
        let configuration = model.configuration
        let tensors = model.file.tensors
        let isTied = model.file.tensor(named: "output.weight") == nil
        let weightBytes = tensors.reduce(0) { sum, tensor in
            let rows = tensor.name == "token_embd.weight" && !isTied ? configuration.vocabularySize : 1
            return sum + (tensor.isOfExperts ? tensor.byteCount.share(configuration) : tensor.byteCount / rows)
        }
        let expertBytes = tensors.reduce(0) { $0 + ($1.isOfExperts ? $1.byteCount : 0) }
        let experts = Experts(count: configuration.expertCount, used: configuration.expertUsedCount, bytes: expertBytes)
        let types = model.keyValueTypes
        var (unlimited, windowed) = (0, [Int: Int]())
        for (heads, window) in zip(configuration.keyValueHeadCounts, model.windows) {
            let elements = heads * configuration.headDimension
            let bytes = types.keys.byteCount(elements: elements) + types.values.byteCount(elements: elements)
            if let window { windowed[window, default: 0] += bytes } else { unlimited += bytes }
        }
        self.init(
            weightBytes: weightBytes, experts: experts.count > 0 ? experts : nil, keyValueBytesPerPosition: unlimited,
            windowedBytesPerPosition: windowed)
    }

    /// Bytes of keys and values that the tokens of a test read on average: token `i` reads `depth + i` positions.
    func keyValueBytes(_ test: TestCase) -> Double {
        let positions = Double(test.depth) + Double(test.generatedTokens + 1) / 2
        return windowedBytesPerPosition.reduce(positions * Double(keyValueBytesPerPosition)) { sum, layers in
            sum + min(positions, Double(layers.key)) * Double(layers.value)
        }
    }

    /// Bytes of a token on average: sequences that decode together read the weights once.
    func bytesPerToken(_ test: TestCase) -> Double {
        weightBytesPerToken(test) + keyValueBytes(test)
    }

    /// Bytes of weights of a token on average.
    func weightBytesPerToken(_ test: TestCase) -> Double {
        let more = experts.map { $0.bytes(ofRows: test.sequences) - $0.bytesOfRow } ?? 0
        return (Double(weightBytes) + more) / Double(test.sequences)
    }
}

extension GGUFTensor {
    /// Whether the tensor holds a matrix, or a bias, of each expert of a layer.
    var isOfExperts: Bool { name.hasSuffix("_exps.weight") || name.hasSuffix("_exps.bias") }

    /// Whether the tensor holds matrices of a layer: filters of convolutions are none, each of whose rows is a channel's own,
    /// nor are the biases of experts.
    var isMatrixOfLayer: Bool {
        name.hasPrefix("blk.") && name.hasSuffix(".weight") && (2...3).contains(dimensions.count)
            && !name.contains(".conv.") && !name.contains(".ssm_conv1d.") && !name.contains(".ssm_norm.")
    }
}

extension Int {
    /// The share of a model's experts that a row chooses.
    func share(_ configuration: ModelConfiguration) -> Int {
        self / Swift.max(1, configuration.expertCount) * configuration.expertUsedCount
    }
}
