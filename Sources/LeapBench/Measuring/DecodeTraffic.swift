import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// The bytes that decoding a token reads, whatever the implementation: weights and what the sequence remembers.
struct DecodeTraffic: Hashable {
    /// Weights: every tensor once, but of an embedding that is not the output projection too only one row.
    let weightBytes: Int
    /// Keys and values of one position, of all layers that look back on all positions.
    let keyValueBytesPerPosition: Int
    /// The same of those that look back over a window, by its positions.
    let windowedBytesPerPosition: [Int: Int]

    init(weightBytes: Int, keyValueBytesPerPosition: Int, windowedBytesPerPosition: [Int: Int] = [:]) {
        self.weightBytes = weightBytes
        self.keyValueBytesPerPosition = keyValueBytesPerPosition
        self.windowedBytesPerPosition = windowedBytesPerPosition
    }

    init(_ model: LanguageModel) {
        let configuration = model.configuration
        let tensors = model.file.tensors
        let isTied = model.file.tensor(named: "output.weight") == nil
        let weightBytes = tensors.reduce(0) { sum, tensor in
            let rows = tensor.name == "token_embd.weight" && !isTied ? configuration.vocabularySize : 1
            return sum + tensor.byteCount / rows
        }
        let types = model.keyValueTypes
        var (unlimited, windowed) = (0, [Int: Int]())
        for (heads, window) in zip(configuration.keyValueHeadCounts, model.windows) {
            let elements = heads * configuration.headDimension
            let bytes = types.keys.byteCount(elements: elements) + types.values.byteCount(elements: elements)
            if let window { windowed[window, default: 0] += bytes } else { unlimited += bytes }
        }
        self.init(
            weightBytes: weightBytes, keyValueBytesPerPosition: unlimited, windowedBytesPerPosition: windowed)
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
        Double(weightBytes) / Double(test.sequences) + keyValueBytes(test)
    }
}
