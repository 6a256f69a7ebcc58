import LeapBlocks
import LeapOps

/// SigLIP 2 without its head: patches to a residual stream, learned positions, and layers in which every patch sees every
/// other.
///
///     x = W · patches + b + positions;   per layer:  x ← x + attention(norm(x));   x ← x + network(norm(x))
///
/// Source: Tschannen et al. 2025, "SigLIP 2", section 2.4 (NaFlex); Dosovitskiy et al. 2020, "An Image is Worth 16x16
/// Words", section 3.1; tensor names as GGUF files have them.
struct SigLIP2: Sendable {
    private let patches: Projection
    private let positions: PositionTable
    private let layers: [Layer]
    private let lastNorm: LayerNorm
    private let rule: AttentionRule

    /// One layer.
    private struct Layer: Sendable {
        let attentionNorm: LayerNorm
        let query: Projection
        let key: Projection
        let value: Projection
        let output: Projection
        let networkNorm: LayerNorm
        let up: Projection
        let down: Projection
    }

    /// How many layers there are.
    var layerCount: Int { layers.count }

    /// An image between two layers, in scratch memory.
    struct Stream {
        /// `[patches, embeddingLength]`
        let x: Rows
        fileprivate let places: AttendedPlaces
    }

    /// The input of the first layer.
    ///
    /// - Parameters:
    ///   - values: `[grid.count, patchLength]`.
    ///   - attended: Has room for a position of every patch, and keeps a layer's keys and values.
    func begin(_ values: [Float], _ grid: PatchGrid, _ attended: KeyValueCache, _ compute: Compute) -> Stream {
        let x = compute.scratch.rows(grid.count, width: patches.weights.rows)
        compute.scratch.scope { embed(values, grid, into: x, compute) }
        return Stream(x: x, places: compute.places(of: attended.view, count: grid.count))
    }

    /// Takes a picture through a layer.
    ///
    /// - Parameter shouldContinue: Asked between the layer's products.
    /// - Returns: Whether it went through all of it.
    func advance(_ stream: Stream, through layer: Int, _ compute: Compute, _ shouldContinue: () -> Bool) -> Bool {
        let layer = layers[layer]
        guard compute.scratch.scope({ attend(layer, stream, compute, shouldContinue) }) else { return false }
        return compute.scratch.scope { addNetwork(of: layer, to: stream.x, compute, shouldContinue) }
    }

    /// Normalises the output of the last layer.
    func finish(_ stream: Stream, _ compute: Compute) {
        lastNorm(stream.x, into: stream.x, compute)
    }

    /// `W · patches + b + positions`
    private func embed(_ values: [Float], _ grid: PatchGrid, into x: Rows, _ compute: Compute) {
        let input = compute.scratch.rows(grid.count, width: patches.weights.columns)
        if !compute.isCounting {
            values.withUnsafeBufferPointer { source in
                if let base = source.baseAddress { input.base.update(from: base, count: source.count) }
            }
        }
        var activations = Activations(input, .prompt)
        let embedded = patches(&activations, compute)
        guard !compute.isCounting else { return }
        positions.write(to: x, grid)
        compute.add(embedded, to: x)
    }

    /// `x ← x + attention(norm(x))`
    private func attend(_ layer: Layer, _ stream: Stream, _ compute: Compute, _ shouldContinue: () -> Bool) -> Bool {
        let (x, places) = (stream.x, stream.places)
        let normed = compute.scratch.rows(x.count, width: x.width)
        layer.attentionNorm(x, into: normed, compute)
        var input = Activations(normed, .prompt)
        let (q, k, v) = Projection.apply(layer.query, layer.key, layer.value, to: &input, compute)
        compute.store(keys: k, values: v, in: places.caches, at: places.positions)
        guard shouldContinue() else { return false }
        let attended = compute.scratch.rows(q.count, width: q.width)
        for start in stride(from: 0, to: q.count, by: Self.attentionRows) {
            let rows = start..<min(start + Self.attentionRows, q.count)
            compute.attention(
                q[rows], rule, over: places.caches + start, positions: places.positions + start, .prompt,
                upTo: q.count, into: attended[rows])
            guard shouldContinue() else { return false }
        }
        var result = Activations(attended, .prompt)
        compute.add(layer.output(&result, compute), to: x)
        return shouldContinue()
    }

    /// `x ← x + network(norm(x))`, some rows at a time, which need not wait for each other.
    private func addNetwork(
        of layer: Layer, to x: Rows, _ compute: Compute, _ shouldContinue: () -> Bool
    ) -> Bool {
        for start in stride(from: 0, to: x.count, by: Self.networkRows) {
            let rows = x[start..<min(start + Self.networkRows, x.count)]
            compute.scratch.scope { compute.add(network(of: layer, rows, compute), to: rows) }
            guard shouldContinue() else { return false }
        }
        return true
    }

    /// The rows of a tile of the usual size. Attention over more would delay a cancellation too long, since its cost is
    /// quadratic.
    private static let attentionRows = 1024

    /// Enough rows to amortise reading all weights. More would take more scratch memory: the hidden rows are four times
    /// as wide.
    private static let networkRows = 512

    private func network(of layer: Layer, _ x: Rows, _ compute: Compute) -> Rows {
        let normed = compute.scratch.rows(x.count, width: x.width)
        layer.networkNorm(x, into: normed, compute)
        var input = Activations(normed, .prompt)
        let hidden = layer.up(&input, compute)
        compute.gelu(hidden, .tanh)
        var result = Activations(hidden, .prompt)
        return layer.down(&result, compute)
    }
}

// MARK: - Binding

extension SigLIP2 {
    init(_ configuration: VisionConfiguration, _ weights: Weights) throws(ModelError) {
        let (width, patch) = (configuration.embeddingLength, configuration.patchSize)
        patches = Projection(
            try weights.matrix(
                "v.patch_embd.weight", rows: width, columns: configuration.patchLength,
                dimensions: [patch, patch, 3, width]),
            bias: try weights.vector("v.patch_embd.bias", count: width))
        positions = PositionTable(
            values: try weights.floats(
                VisionEncoder.positionTable,
                dimensions: [width, configuration.positionsPerSide * configuration.positionsPerSide]),
            side: configuration.positionsPerSide)
        rule = AttentionRule(
            keyValueHeads: configuration.headCount, headDimension: configuration.headDimension, isCausal: false)
        lastNorm = try weights.layerNorm("v.post_ln", configuration)
        var layers: [Layer] = []
        for index in 0..<configuration.blockCount {
            layers.append(try Self.layer("v.blk.\(index)", configuration, weights))
        }
        self.layers = layers
    }

    private static func layer(
        _ name: String, _ configuration: VisionConfiguration, _ weights: Weights
    ) throws(ModelError) -> Layer {
        let (width, hidden) = (configuration.embeddingLength, configuration.feedForwardLength)
        let (query, key, value) = try queryKeyValue(name, width, weights)
        return Layer(
            attentionNorm: try weights.layerNorm("\(name).ln1", configuration),
            query: query, key: key, value: value,
            output: try weights.biasedProjection("\(name).attn_out", rows: width, columns: width),
            networkNorm: try weights.layerNorm("\(name).ln2", configuration),
            up: try weights.biasedProjection("\(name).ffn_up", rows: hidden, columns: width),
            down: try weights.biasedProjection("\(name).ffn_down", rows: width, columns: hidden))
    }

    /// Three matrices, or one that has the rows of all three.
    private static func queryKeyValue(
        _ name: String, _ width: Int, _ weights: Weights
    ) throws(ModelError) -> (Projection, Projection, Projection) {
        guard weights.has("\(name).attn_qkv.weight") else {
            return (
                try weights.biasedProjection("\(name).attn_q", rows: width, columns: width),
                try weights.biasedProjection("\(name).attn_k", rows: width, columns: width),
                try weights.biasedProjection("\(name).attn_v", rows: width, columns: width)
            )
        }
        let whole = try weights.biasedProjection("\(name).attn_qkv", rows: 3 * width, columns: width)
        return (whole.rows(0..<width), whole.rows(width..<2 * width), whole.rows(2 * width..<3 * width))
    }
}

/// The keys and values of the rows of one image.
fileprivate struct AttendedPlaces {
    let caches: UnsafePointer<KeyValueView>
    let positions: UnsafePointer<Int>
}

extension Compute {
    /// Every row has its own position in one cache.
    fileprivate func places(of view: KeyValueView, count: Int) -> AttendedPlaces {
        let caches = scratch.array(of: KeyValueView.self, count: count)
        let positions = scratch.array(of: Int.self, count: count)
        if !isCounting {
            caches.initialize(repeating: view, count: count)
            for row in 0..<count { (positions + row).initialize(to: row) }
        }
        return AttendedPlaces(caches: UnsafePointer(caches), positions: UnsafePointer(positions))
    }
}
