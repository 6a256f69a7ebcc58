import LeapOps

/// A model as data: what every architecture makes of its file, and the one loop that runs it.
///
/// All of it is pointers and numbers, but for the lists that hold them; the model keeps the memory. So a pass hands layers
/// and their parts down without counting references.
struct Graph: Sendable {
    /// `[vocabularySize, embeddingLength]`
    let embedding: QuantizedMatrix
    let rotary: RotaryEmbedding
    let layers: [Layer]
    let outputNorm: Norm
    /// `[vocabularySize, embeddingLength]`
    let output: Projection

    /// Binds what nearly all files name alike.
    ///
    /// - Parameters:
    ///   - outputNorm: The name of the last norm.
    ///   - layer: Binds a layer.
    init(
        _ model: Binder, rotary: RotaryEmbedding, outputNorm: String = "output_norm",
        layer: (Block) throws(ModelError) -> Layer
    ) throws(ModelError) {
        embedding = try model.embedding()
        self.rotary = rotary
        layers = try model.layers(layer)
        self.outputNorm = try model.norm(outputNorm)
        output = try model.output()
    }

    /// Computes all layers and the logits of the rows that want them; `nil` where the observer ends the pass.
    func forward(_ batch: Batch, _ compute: Compute, _ observer: LayerObserver) -> Logits? {
        let pass = compute.forwardPass(over: batch, rotary)
        let x = compute.embed(batch, from: embedding)
        for index in layers.indices {
            let goesOn = compute.scratch.scope {
                layers[index](x, number: index, pass, compute) { observer(index, $0, x) }
            }
            guard goesOn else { return nil }
        }
        return logits(of: batch, x, compute)
    }

    /// `output · norm(x)` for the rows that want logits.
    private func logits(of batch: Batch, _ x: Rows, _ compute: Compute) -> Logits {
        let wanted = compute.wantedRows(of: batch, x)
        outputNorm(wanted, into: wanted, compute)
        var activations = Activations(wanted, batch.kindOfLogits)
        return Logits(rows: output(&activations, compute))
    }
}
