import LeapOps

/// A model as data: what every architecture builds from its file, and the one loop that runs it.
///
/// Except for its arrays it consists of pointers and numbers; the model keeps the memory alive. So a pass hands layers and
/// their parts down without reference counting.
struct Graph: Sendable {
    /// `[vocabularySize, embeddingLength]`
    let embedding: QuantizedMatrix
    /// What adapters add to the embeddings of tokens; `nil` if none does.
    let embeddingChanges: EmbeddingChanges?
    /// A factor on the embeddings of tokens.
    let embeddingScale: Float
    /// What encoders add to the embeddings.
    let input: TextInput?
    let rotary: RotarySettings
    let layers: [Layer]
    /// `nil` if layers end with a norm.
    let outputNorm: StreamNorm?
    /// `[vocabularySize, embeddingLength]`
    let output: Projection
    /// A factor on logits, already folded into the gains of the last norm. It is 1 for embeddings, which are taken
    /// after that norm.
    let logitScale: Float
    /// The bound of the logits' soft cap; `nil` for none.
    let logitCap: Float?
    /// How many adapters the model has.
    let adapterCount: Int

    /// Binds the parts that have the same names in nearly all files.
    ///
    /// - Parameters:
    ///   - rotary: The angles of all layers, or of those that see all positions; `nil` if none rotates.
    ///   - windowedRotary: The angles of layers with a window, if these differ.
    ///   - longRotary: The angles of long sequences, if these differ.
    ///   - input: What is added to the embeddings of tokens.
    ///   - outputNorm: The name of the last norm; `nil` if layers end with one.
    ///   - embeddingScale: A factor on the embeddings of tokens.
    ///   - logitScale: A factor on logits.
    ///   - logitCap: What bounds the logits.
    ///   - layer: Binds a layer.
    init(
        _ model: Binder, rotary: RotaryEmbedding?, windowedRotary: RotaryEmbedding? = nil,
        longRotary: LongRotary? = nil, input: TextInput? = nil, outputNorm: String? = "output_norm",
        embeddingScale: Float = 1,
        logitScale: Float = 1, logitCap: Float? = nil,
        layer: (Block) throws(ModelError) -> Layer
    ) throws(ModelError) {
        embedding = try model.embedding()
        embeddingChanges = try model.weights.adapters?.changes(
            ofEmbedding: Binder.embeddingName, tokens: embedding.rows, width: embedding.columns)
        self.embeddingScale = embeddingScale
        self.input = input
        self.rotary = RotarySettings(global: rotary, windowed: windowedRotary, long: longRotary)
        layers = try model.layers(layer)
        self.logitScale = outputNorm == nil || model.purpose == .embedding ? 1 : logitScale
        if let outputNorm {
            self.outputNorm = try model.norm(outputNorm, scaledBy: self.logitScale)
        } else {
            self.outputNorm = nil
        }
        output = try model.output()
        self.logitCap = logitCap
        adapterCount = model.weights.adapters?.adapters.count ?? 0
    }

    /// What a pass gives.
    enum Output {
        /// The scores of every vocabulary entry for every row that wants them.
        case logits
        /// The last rows themselves, after the last norm.
        case rows
        /// Vectors of the batch's sequences.
        case vectors(EmbeddingHead)

        /// How rows become vectors.
        var pooling: Pooling? { if case .vectors(let head) = self { head.pooling } else { nil } }
        /// Whether every vocabulary entry gets a score.
        var scoresVocabulary: Bool { if case .logits = self { true } else { false } }
    }

    /// The scaled embedding of a token, without the changes of adapters.
    func embeddingRow(of token: Int32) -> [Float] {
        var row = [Float](repeating: 0, count: embedding.columns)
        let compute = Compute(threads: 1)
        row.withUnsafeMutableBufferPointer { row in
            guard let base = row.baseAddress else { return }
            compute.embed(token, from: embedding, into: base)
            if embeddingScale != 1 { for element in row.indices { base[element] *= embeddingScale } }
        }
        return row
    }

    /// Computes all layers and what is wanted; `nil` if the observer ends the pass.
    func forward(_ batch: Batch, _ wanted: Output, _ compute: Compute, _ observer: LayerObserver) -> Rows? {
        let pass = compute.forwardPass(over: batch, rotary, adapters: adapterCount)
        let x = compute.embed(batch, from: embedding, scale: embeddingScale)
        if let scales = pass.adapterScales {
            embeddingChanges?.add(to: x, of: batch, scale: embeddingScale, scales, compute)
        }
        input?(x, batch, pass, compute)
        for index in layers.indices {
            let shouldContinue = compute.scratch.scope {
                layers[index](x, number: index, pass, compute) { observer(index, $0, x) }
            }
            guard shouldContinue else { return nil }
        }
        let rows = lastRows(of: batch, x, compute)
        switch wanted {
        case .logits: return logits(of: rows, batch, pass.adapterScales?.of(batch.wanted, compute), compute)
        case .rows: return rows
        case .vectors(let head): return head(rows, of: batch, compute)
        }
    }

    /// `norm(x)`, for the rows whose output is wanted.
    private func lastRows(of batch: Batch, _ x: Rows, _ compute: Compute) -> Rows {
        let wanted = compute.wantedRows(of: batch, x)
        outputNorm?(wanted, into: wanted, compute)
        return wanted
    }

    /// `output · x`, bounded.
    private func logits(of x: Rows, _ batch: Batch, _ scales: AdapterScales?, _ compute: Compute) -> Rows {
        var activations = Activations(x, batch.kindOfLogits)
        let logits = output(&activations, compute, scales)
        if let logitCap { compute.softCap(logits, logitCap) }
        return logits
    }
}
