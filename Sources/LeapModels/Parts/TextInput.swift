import LeapOps

/// What an encoder does to the embeddings of tokens before its first layer: it adds those of positions and segments, and
/// normalises.
struct TextInput: Sendable {
    /// The embedding of every position, `[contextLength, embeddingLength]`; `nil` if positions rotate.
    let positions: FloatVector?
    /// The embedding of each segment, `[segments, embeddingLength]`; `nil` if there are no segments.
    let segments: FloatVector?
    let norm: StreamNorm

    /// - Parameter x: `[n, embeddingLength]`: the embeddings of tokens, and what the first layer reads.
    func callAsFunction(_ x: Rows, _ batch: Batch, _ pass: ForwardPass, _ compute: Compute) {
        if !compute.isCounting {
            for row in 0..<x.count {
                if let segments { add(segments, row: segment(of: row, batch, segments, width: x.width), to: x, row) }
                if let positions { add(positions, row: pass.positions[row], to: x, row) }
            }
        }
        norm(x, into: x, compute)
    }

    /// The segment that a row of the batch belongs to, or the last one that the model supports.
    private func segment(of row: Int, _ batch: Batch, _ segments: FloatVector, width: Int) -> Int {
        min(batch.isInSecondSegment(row) ? 1 : 0, segments.count / width - 1)
    }

    private func add(_ table: FloatVector, row: Int, to x: Rows, _ index: Int) {
        let added = table.base + row * x.width
        for element in 0..<x.width { x[index][element] += added[element] }
    }
}

extension Binder {
    /// `position_embd`: the embedding of every position.
    func positions() throws(ModelError) -> FloatVector {
        try weights.floats(
            "position_embd.weight", dimensions: [configuration.embeddingLength, configuration.contextLength])
    }

    /// `token_types`: the embedding of each segment.
    func segments() throws(ModelError) -> FloatVector {
        let (name, width) = ("token_types.weight", configuration.embeddingLength)
        let dimensions = try weights.dimensions(of: name)
        guard dimensions.count <= 2, dimensions.first == width, dimensions.last.map({ $0 > 0 }) == true else {
            throw .wrongShape(tensor: name, expected: [width, 2], found: dimensions)
        }
        return try weights.floats(name, dimensions: dimensions)
    }

    /// The same, if the file has them.
    func segmentsIfPresent() throws(ModelError) -> FloatVector? {
        weights.has("token_types.weight") ? try segments() : nil
    }
}
