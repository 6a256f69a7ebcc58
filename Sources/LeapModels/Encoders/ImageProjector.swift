import LeapOps

/// Turns an encoder's rows into a language model's: squares of patches become one vector each, which two linear layers
/// bring to the model's width.
///
///     y = W₂ · GELU(W₁ · norm(unshuffle(x)) + b₁) + b₂        (the norm only if the model has one)
///
/// Source: LFM2 technical report (Liquid AI 2025), "vision-language models"; Shi et al. 2016, "Real-Time Single Image …
/// Sub-Pixel Convolutional Neural Network", section 2.2, reversed; tensor names as GGUF files have them.
struct ImageProjector: Sendable {
    /// Patches on a side of a square.
    private let scale: Int
    private let norm: LayerNorm?
    private let first: Projection
    private let second: Projection

    /// The epsilon of the norm, for which there is no key.
    private static let normEpsilon: Float = 1e-5

    init(_ configuration: VisionConfiguration, _ weights: Weights) throws(ModelError) {
        let (width, hidden) = (configuration.unshuffledLength, configuration.projectorLength)
        scale = configuration.scaleFactor
        norm =
            weights.has("mm.input_norm.weight") || weights.has("mm.input_norm.bias")
            ? try weights.layerNorm("mm.input_norm", count: width, epsilon: Self.normEpsilon) : nil
        first = try weights.biasedProjection("mm.1", rows: hidden, columns: width)
        second = try weights.biasedProjection("mm.2", rows: configuration.outputLength, columns: hidden)
    }

    /// - Parameter x: `[grid.count, embeddingLength]`.
    /// - Returns: `[grid.count / scale², outputLength]`.
    func callAsFunction(_ x: Rows, _ grid: PatchGrid, _ compute: Compute) -> Rows {
        let unshuffled = unshuffle(x, grid, compute)
        norm?(unshuffled, into: unshuffled, compute)
        var input = Activations(unshuffled, .prompt)
        let hidden = first(&input, compute)
        compute.gelu(hidden, .exact)
        var result = Activations(hidden, .prompt)
        return second(&result, compute)
    }

    /// The patches of every square, one after another, row by row.
    private func unshuffle(_ x: Rows, _ grid: PatchGrid, _ compute: Compute) -> Rows {
        let (columns, area) = (grid.width / scale, scale * scale)
        let target = compute.scratch.rows(grid.count / area, width: area * x.width)
        guard !compute.isCounting else { return target }
        for row in 0..<target.count {
            let (top, left) = (row / columns * scale, row % columns * scale)
            for part in 0..<area {
                let patch = (top + part / scale) * grid.width + left + part % scale
                (target[row] + part * x.width).update(from: x[patch], count: x.width)
            }
        }
        return target
    }
}
