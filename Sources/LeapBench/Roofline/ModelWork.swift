import LeapBlocks
import LeapGGUF
import LeapModels

/// The arithmetic of a model's matrices, whatever the implementation.
struct ModelWork: Hashable {
    /// Multiply-adds of all layers per row.
    let layers: Int
    /// Multiply-adds of the projection to the vocabulary, per row whose logits are needed.
    let logits: Int
    /// Whether the layers' matrices are quantised, so that the peak rate of 8-bit integers bounds their products.
    let isQuantized: Bool

    init(layers: Int, logits: Int, isQuantized: Bool) {
        self.layers = layers
        self.logits = logits
        self.isQuantized = isQuantized
    }

    init(_ model: LanguageModel) {
        let matrices = model.file.tensors.filter(\.isMatrixOfLayer)
        let configuration = model.configuration
        // A row is multiplied with only some experts' matrices.
        layers = matrices.reduce(0) { $0 + ($1.isOfExperts ? $1.elementCount.share(configuration) : $1.elementCount) }
        logits = configuration.vocabularySize * configuration.embeddingLength
        let quantized = matrices.filter { ($0.type.activationType ?? .F32) != .F32 }
        isQuantized =
            2 * quantized.reduce(0) { $0 + $1.elementCount } > matrices.reduce(0) { $0 + $1.elementCount }
    }

    /// Multiply-adds of a test.
    func multiplyAdds(_ test: TestCase) -> Double {
        let wanted = (test.promptTokens > 0 ? 1 : 0) + test.generatedTokens * test.sequences
        return Double(test.tokens) * Double(layers) + Double(wanted) * Double(logits)
    }
}
