import LeapBlocks
import LeapGGUF
import LeapModels
import LeapOps

/// The bytes that decoding a token reads, whatever the implementation: weights and what the sequence remembers.
struct DecodeTraffic: Hashable {
    /// Weights: every tensor once, but of an embedding that is not the output projection too only one row.
    let weightBytes: Int
    /// Keys and values of one position, of all layers.
    let keyValueBytesPerPosition: Int

    init(weightBytes: Int, keyValueBytesPerPosition: Int) {
        self.weightBytes = weightBytes
        self.keyValueBytesPerPosition = keyValueBytesPerPosition
    }

    init(_ model: LanguageModel) {
        let configuration = model.configuration
        let tensors = model.file.tensors
        let isTied = model.file.tensor(named: "output.weight") == nil
        weightBytes = tensors.reduce(0) { sum, tensor in
            let rows = tensor.name == "token_embd.weight" && !isTied ? configuration.vocabularySize : 1
            return sum + tensor.byteCount / rows
        }
        let elements = configuration.keyValueHeadCounts.reduce(0, +) * configuration.headDimension
        let types = model.keyValueTypes
        keyValueBytesPerPosition =
            types.keys.byteCount(elements: elements) + types.values.byteCount(elements: elements)
    }

    /// Bytes of keys and values that the tokens of a test read on average: token `i` reads `depth + i` positions.
    func keyValueBytes(_ test: TestCase) -> Double {
        let positions = Double(test.depth) + Double(test.generatedTokens + 1) / 2
        return positions * Double(keyValueBytesPerPosition)
    }

    /// Bytes of a token on average: sequences that decode together read the weights once.
    func bytesPerToken(_ test: TestCase) -> Double {
        Double(weightBytes) / Double(test.sequences) + keyValueBytes(test)
    }
}
