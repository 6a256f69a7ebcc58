import LeapOps

/// A model as data: what every architecture makes of its file, and the one loop that runs it.
///
/// All of it is pointers and numbers, but for the lists that hold them; the model keeps the memory. So a pass hands layers
/// and their parts down without counting references.
struct Graph: Sendable {
    /// `[vocabularySize, embeddingLength]`
    let embedding: QuantizedMatrix
    /// A factor on the embeddings of tokens.
    let embeddingScale: Float
    let rotary: RotarySettings
    let layers: [Layer]
    let outputNorm: Norm
    /// `[vocabularySize, embeddingLength]`
    let output: Projection
    /// What bounds the logits, softly; `nil` where nothing does.
    let logitCap: Float?

    /// Binds what nearly all files name alike.
    ///
    /// - Parameters:
    ///   - rotary: The angles of all layers, or of those that see all positions; `nil` where none rotates.
    ///   - windowedRotary: The angles of layers with a window, where these are others.
    ///   - longRotary: The angles of long sequences, where these are others.
    ///   - outputNorm: The name of the last norm.
    ///   - embeddingScale: A factor on the embeddings of tokens.
    ///   - logitScale: A factor on logits.
    ///   - logitCap: What bounds the logits.
    ///   - layer: Binds a layer.
    init(
        _ model: Binder, rotary: RotaryEmbedding?, windowedRotary: RotaryEmbedding? = nil,
        longRotary: LongRotary? = nil, outputNorm: String = "output_norm", embeddingScale: Float = 1,
        logitScale: Float = 1, logitCap: Float? = nil,
        layer: (Block) throws(ModelError) -> Layer
    ) throws(ModelError) {
        embedding = try model.embedding()
        self.embeddingScale = embeddingScale
        self.rotary = RotarySettings(global: rotary, windowed: windowedRotary, long: longRotary)
        layers = try model.layers(layer)
        self.outputNorm = try model.norm(outputNorm, scaledBy: logitScale)
        output = try model.output()
        self.logitCap = logitCap
    }

    /// Computes all layers and the logits of the rows that want them; `nil` where the observer ends the pass.
    func forward(_ batch: Batch, _ compute: Compute, _ observer: LayerObserver) -> Logits? {
        let pass = compute.forwardPass(over: batch, rotary)
        let x = compute.embed(batch, from: embedding, scale: embeddingScale)
        for index in layers.indices {
            let goesOn = compute.scratch.scope {
                layers[index](x, number: index, pass, compute) { observer(index, $0, x) }
            }
            guard goesOn else { return nil }
        }
        return logits(of: batch, x, compute)
    }

    /// `output · norm(x)`, bounded, for the rows that want logits.
    private func logits(of batch: Batch, _ x: Rows, _ compute: Compute) -> Logits {
        let wanted = compute.wantedRows(of: batch, x)
        outputNorm(wanted, into: wanted, compute)
        var activations = Activations(wanted, batch.kindOfLogits)
        let logits = output(&activations, compute)
        if let logitCap { compute.softCap(logits, logitCap) }
        return Logits(rows: logits)
    }
}
