import LeapOps

/// What every layer of a pass needs to know: where the rows belong, and what to compute with.
struct ForwardPass {
    let compute: Compute
    let batch: Batch
    let positions: UnsafePointer<Int>
    let angles: RotaryAngles

    /// Sees the residual stream after every layer; for tests and tools.
    let observer: ((_ layer: Int, _ residual: Rows) -> Void)?

    /// Lays positions and angles down in scratch memory.
    init(
        compute: Compute, batch: Batch, rotary: RotaryEmbedding,
        observer: ((_ layer: Int, _ residual: Rows) -> Void)?
    ) {
        let positions = compute.scratch.array(of: Int.self, count: batch.count)
        for (row, position) in batch.positions.enumerated() { (positions + row).initialize(to: position) }
        self.compute = compute
        self.batch = batch
        self.positions = UnsafePointer(positions)
        self.observer = observer
        angles = compute.angles(rotary, positions: UnsafeBufferPointer(start: positions, count: batch.count))
    }

    /// The rows' inputs: embeddings of tokens, or embedding rows as they are. `[n, embeddingLength]`.
    func embed(_ table: QuantizedMatrix) -> Rows {
        let start = compute.beginOperation()
        let x = compute.scratch.rows(batch.count, width: table.columns)
        defer { compute.endOperation(start, .pointwise(.embedding, x, streams: 1)) }
        for (row, input) in batch.inputs.enumerated() {
            switch input {
            case .token(let token): compute.embed(token, from: table, into: x[row])
            case .embedding(let index): x[row].update(from: batch.embeddings[index], count: x.width)
            }
        }
        return x
    }

    /// Calls `body(layer)` for every layer, each with its scratch memory to itself.
    func forEachLayer<Layer>(of layers: [Layer], _ x: Rows, _ body: (Layer) -> Void) {
        for (index, layer) in layers.enumerated() {
            compute.scratch.scope { body(layer) }
            observer?(index, x)
        }
    }

    /// The logits of the rows that want them: `output · rmsNorm(x)`.
    func logits(_ x: Rows, norm: FloatVector, epsilon: Float, output: QuantizedMatrix) -> Logits {
        let wanted = compute.scratch.rows(batch.wanted.count, width: x.width)
        for (index, row) in batch.wanted.enumerated() { wanted[index].update(from: x[row], count: x.width) }
        compute.rmsNorm(wanted, norm.base, epsilon: epsilon, into: wanted)
        var activations = Activations(wanted)
        return Logits(rows: compute.linear(output, &activations))
    }
}
