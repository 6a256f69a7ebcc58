import Foundation
import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// The bytes that decoding a token must read, in any implementation: weights, and the state of the sequence.
struct DecodeTraffic: Hashable {
    /// Weights: every tensor once, except that only one row of an embedding counts unless it is also the output
    /// projection, and only those experts that one row chooses.
    let weightBytes: Int
    /// The experts, if a model has any.
    let experts: Experts?
    /// Keys and values of one position, for all layers with global attention.
    let keyValueBytesPerPosition: Int
    /// The same for layers with a sliding window, by the window's length.
    let windowedBytesPerPosition: [Int: Int]

    /// The expert weights that several sequences read when they decode together.
    struct Experts: Hashable {
        let count: Int
        let used: Int
        /// The bytes of all experts of all layers.
        let bytes: Int

        /// Bytes that one row reads.
        var bytesOfRow: Double { Double(bytes) * Double(used) / Double(count) }

        /// The bytes that `rows` rows read on average if each chose at random and independently: an expert that several
        /// rows choose is read once.
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

    /// The bytes of keys and values that a test's tokens read on average: token `i` reads `depth + i` positions.
    func keyValueBytes(_ test: TestCase) -> Double {
        windowedBytesPerPosition.reduce(test.positions(in: .max) * Double(keyValueBytesPerPosition)) { sum, layers in
            sum + test.positions(in: layers.key) * Double(layers.value)
        }
    }

    /// The bytes of weights that a pass over some rows of a prompt reads.
    func weightBytes(ofRows rows: Int) -> Double {
        Double(weightBytes) + (experts.map { $0.bytes(ofRows: rows) - $0.bytesOfRow } ?? 0)
    }

    /// The average bytes per token: sequences that decode together read the weights once.
    func bytesPerToken(_ test: TestCase) -> Double {
        weightBytesPerToken(test) + keyValueBytes(test)
    }

    /// The average bytes of weights per token.
    func weightBytesPerToken(_ test: TestCase) -> Double {
        weightBytes(ofRows: test.sequences) / Double(test.sequences)
    }
}

extension TestCase {
    /// How many positions a token attends to on average, if there are at most so many.
    fileprivate func positions(in window: Int) -> Double {
        let growing = max(0, min(generatedTokens, window - depth))
        let sum = Double(growing) * (Double(depth) + Double(growing + 1) / 2)
        guard growing < generatedTokens else { return sum / Double(max(1, generatedTokens)) }
        return (sum + Double(generatedTokens - growing) * Double(window)) / Double(generatedTokens)
    }
}

extension GGUFTensor {
    /// Whether the tensor holds a matrix or a bias for each expert of a layer.
    var isOfExperts: Bool { name.hasSuffix("_exps.weight") || name.hasSuffix("_exps.bias") }

    /// Whether the tensor holds matrices of a layer: this excludes convolution filters, whose rows each belong to one
    /// channel, and experts' biases.
    var isMatrixOfLayer: Bool {
        name.hasPrefix("blk.") && name.hasSuffix(".weight") && (2...3).contains(dimensions.count)
            && !name.contains(".conv.") && !name.contains(".ssm_conv1d.") && !name.contains(".ssm_norm.")
    }
}

extension Int {
    /// The part of a count that belongs to the experts chosen by one row.
    func share(_ configuration: ModelConfiguration) -> Int {
        self / Swift.max(1, configuration.expertCount) * configuration.expertUsedCount
    }
}
