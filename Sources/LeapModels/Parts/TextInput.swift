import LeapOps

/// What an encoder adds to the embeddings of tokens before its first layer, and the norm that follows.
struct TextInput: Sendable {
    /// What is added at every position, `[contextLength, embeddingLength]`: that of the position and of the first segment.
    let positions: FloatVector
    let norm: LayerNorm

    /// - Parameter x: `[n, embeddingLength]`: the embeddings of tokens, and what the first layer reads.
    func callAsFunction(_ x: Rows, _ pass: ForwardPass, _ compute: Compute) {
        if !compute.isCounting {
            for row in 0..<x.count {
                let added = positions.base + pass.positions[row] * x.width
                for element in 0..<x.width { x[row][element] += added[element] }
            }
        }
        norm(x, into: x, compute)
    }

    /// `position_embd`, `token_types` and `token_embd_norm`.
    init(_ model: Binder) throws(ModelError) {
        let (width, count) = (model.configuration.embeddingLength, model.configuration.contextLength)
        let positions = try model.weights.floats("position_embd.weight", dimensions: [width, count])
        let types = try Self.types(model)
        self.positions = model.weights.sum(positions, types)
        norm = try model.layerNorm("token_embd_norm")
    }

    /// The embeddings of segments, of which the first is used.
    private static func types(_ model: Binder) throws(ModelError) -> FloatVector {
        let (name, width) = ("token_types.weight", model.configuration.embeddingLength)
        let dimensions = try model.weights.dimensions(of: name)
        guard dimensions.count <= 2, dimensions.first == width, dimensions.last.map({ $0 > 0 }) == true else {
            throw .wrongShape(tensor: name, expected: [width, 2], found: dimensions)
        }
        return try model.weights.floats(name, dimensions: dimensions)[0..<width]
    }
}
