import Foundation
import LeapOps

/// A conformer: layers in which audio rows see all others by attention, and their neighbours by a convolution.
///
///     x ← x + ½ · network₁(norm(x));   x ← x + attention(norm(x));   x ← x + convolution(norm(x))
///     x ← x + ½ · network₂(norm(x));   x ← norm(x)
///
/// Source: Gulati et al. 2020, "Conformer: Convolution-augmented Transformer for Speech Recognition", sections 2.1 to 2.4;
/// tensor names as GGUF files have them.
struct Conformer: Sendable {
    private let layers: [Layer]
    private let heads: Int

    fileprivate struct Network: Sendable {
        let norm: LayerNorm
        let up: Projection
        let down: Projection
    }

    fileprivate struct Attention: Sendable {
        let norm: LayerNorm
        let query: Projection
        let key: Projection
        let value: Projection
        /// What distances become before queries meet them.
        let distance: Projection
        /// `[heads, dimension]`
        let contentBias: FloatVector
        let distanceBias: FloatVector
        let output: Projection
    }

    fileprivate struct Convolution: Sendable {
        let norm: LayerNorm
        let value: Projection
        let gate: Projection
        /// `[taps, width]`, with the batch norm after it folded in: in a trained model, that norm is a constant factor.
        let filter: FloatVector
        let bias: FloatVector
        let taps: Int
        let output: Projection
    }

    fileprivate struct Layer: Sendable {
        let first: Network
        let attention: Attention
        let convolution: Convolution
        let second: Network
        let norm: LayerNorm
    }

    /// The number of parts. Each is small enough that other users of the threads can wait for it.
    var partCount: Int { layers.count * 4 }

    /// Takes rows through a part of a layer.
    ///
    /// - Parameters:
    ///   - x: `[n, embeddingLength]`: the residual stream.
    ///   - distances: `[2n − 1, embeddingLength]`, see ``writeDistances(to:)``.
    ///   - shouldContinue: Asked between the part's products.
    /// - Returns: Whether they went through all of it.
    func advance(
        _ x: Rows, _ distances: Rows, through part: Int, _ compute: Compute, _ shouldContinue: () -> Bool
    ) -> Bool {
        let layer = layers[part / 4]
        return compute.scratch.scope {
            switch part % 4 {
            case 0: return add(layer.first, to: x, compute, shouldContinue)
            case 1: return add(layer.attention, distances, to: x, compute, shouldContinue)
            case 2: return add(layer.convolution, to: x, compute, shouldContinue)
            default:
                guard add(layer.second, to: x, compute, shouldContinue) else { return false }
                layer.norm(x, into: x, compute)
                return shouldContinue()
            }
        }
    }

    /// Writes sinusoidal encodings of relative positions, from the farthest back to the farthest ahead.
    ///
    /// Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.5.
    static func writeDistances(to rows: Rows) {
        let longest = (rows.count - 1) / 2
        let frequencies = (0..<rows.width / 2).map { pow(10_000, -2 * Double($0) / Double(rows.width)) }
        for index in 0..<rows.count {
            let distance = Double(longest - index)
            for (pair, frequency) in frequencies.enumerated() {
                let angle = distance * frequency
                rows[index][2 * pair] = Float(sin(angle))
                rows[index][2 * pair + 1] = Float(cos(angle))
            }
        }
    }

    /// `x ← x + ½ · network(norm(x))`, some rows at a time, which need not wait for each other.
    private func add(_ network: Network, to x: Rows, _ compute: Compute, _ shouldContinue: () -> Bool) -> Bool {
        for start in stride(from: 0, to: x.count, by: Self.networkRows) {
            let rows = x[start..<min(start + Self.networkRows, x.count)]
            compute.scratch.scope {
                var input = Activations(normed(rows, network.norm, compute), .prompt)
                let hidden = network.up(&input, compute)
                compute.silu(hidden)
                var result = Activations(hidden, .prompt)
                compute.add(network.down(&result, compute), scaledBy: 0.5, to: rows)
            }
            guard shouldContinue() else { return false }
        }
        return true
    }

    /// Enough rows to amortise reading all weights.
    private static let networkRows = 512

    /// `x ← x + attention(norm(x))`
    private func add(
        _ attention: Attention, _ distances: Rows, to x: Rows, _ compute: Compute, _ shouldContinue: () -> Bool
    ) -> Bool {
        var input = Activations(normed(x, attention.norm, compute), .prompt)
        let (q, k, v) = Projection.apply(attention.query, attention.key, attention.value, to: &input, compute)
        guard shouldContinue() else { return false }
        var places = Activations(distances, .prompt)
        let inputs = RelativeAttentionInputs(
            queries: q, keys: k, values: v, distances: attention.distance(&places, compute))
        let weights = RelativeAttentionWeights(
            contentBias: attention.contentBias.base, distanceBias: attention.distanceBias.base, heads: heads)
        let attended = compute.scratch.rows(x.count, width: x.width)
        guard shouldContinue(),
            compute.relativeAttention(inputs, weights, into: attended, shouldContinue: shouldContinue)
        else { return false }
        var result = Activations(attended, .prompt)
        compute.add(attention.output(&result, compute), to: x)
        return shouldContinue()
    }

    /// `x ← x + W · SiLU(convolve(value ⊙ σ(gate)))`
    private func add(_ convolution: Convolution, to x: Rows, _ compute: Compute, _ shouldContinue: () -> Bool) -> Bool {
        var input = Activations(normed(x, convolution.norm, compute), .prompt)
        let (value, gate) = (convolution.value(&input, compute), convolution.gate(&input, compute))
        compute.gate(gate, value, .sigmoid)
        guard shouldContinue() else { return false }
        let convolved = compute.scratch.rows(x.count, width: x.width)
        compute.centredConvolution(
            gate, filter: convolution.filter.base, bias: convolution.bias.base, taps: convolution.taps, into: convolved)
        compute.silu(convolved)
        var result = Activations(convolved, .prompt)
        compute.add(convolution.output(&result, compute), to: x)
        return shouldContinue()
    }

    private func normed(_ x: Rows, _ norm: LayerNorm, _ compute: Compute) -> Rows {
        let rows = compute.scratch.rows(x.count, width: x.width)
        norm(x, into: rows, compute)
        return rows
    }
}

// MARK: - Binding

extension Conformer {
    init(_ configuration: AudioConfiguration, _ weights: Weights) throws(ModelError) {
        heads = configuration.headCount
        var layers: [Layer] = []
        for index in 0..<configuration.blockCount {
            layers.append(try Layer("a.blk.\(index)", configuration, weights))
        }
        self.layers = layers
    }
}

extension Conformer.Layer {
    fileprivate init(_ name: String, _ configuration: AudioConfiguration, _ weights: Weights) throws(ModelError) {
        first = try .init(name, suffix: "", configuration, weights)
        attention = try .init(name, configuration, weights)
        convolution = try .init(name, configuration, weights)
        second = try .init(name, suffix: "_1", configuration, weights)
        norm = try weights.layerNorm("\(name).ln2", configuration)
    }
}

extension Conformer.Network {
    fileprivate init(
        _ name: String, suffix: String, _ configuration: AudioConfiguration, _ weights: Weights
    ) throws(ModelError) {
        let (width, hidden) = (configuration.embeddingLength, configuration.feedForwardLength)
        norm = try weights.layerNorm("\(name).ffn_norm\(suffix)", configuration)
        up = try weights.biasedProjection("\(name).ffn_up\(suffix)", rows: hidden, columns: width)
        down = try weights.biasedProjection("\(name).ffn_down\(suffix)", rows: width, columns: hidden)
    }
}

extension Conformer.Attention {
    fileprivate init(_ name: String, _ configuration: AudioConfiguration, _ weights: Weights) throws(ModelError) {
        let width = configuration.embeddingLength
        norm = try weights.layerNorm("\(name).ln1", configuration)
        query = try weights.biasedProjection("\(name).attn_q", rows: width, columns: width)
        key = try weights.biasedProjection("\(name).attn_k", rows: width, columns: width)
        value = try weights.biasedProjection("\(name).attn_v", rows: width, columns: width)
        distance = Projection(try weights.matrix("\(name).linear_pos.weight", rows: width, columns: width))
        let heads = [width / configuration.headCount, configuration.headCount]
        contentBias = try weights.floats("\(name).pos_bias_u", dimensions: heads)
        distanceBias = try weights.floats("\(name).pos_bias_v", dimensions: heads)
        output = try weights.biasedProjection("\(name).attn_out", rows: width, columns: width)
    }
}

extension Conformer.Convolution {
    fileprivate init(_ name: String, _ configuration: AudioConfiguration, _ weights: Weights) throws(ModelError) {
        let width = configuration.embeddingLength
        taps = configuration.taps
        norm = try weights.layerNorm("\(name).norm_conv", configuration)
        let both = try weights.biasedProjection("\(name).conv_pw1", rows: 2 * width, columns: width)
        (value, gate) = (both.rows(0..<width), both.rows(width..<2 * width))
        let scales = try weights.vector("\(name).conv_norm.weight", count: width)
        let offsets = try weights.vector("\(name).conv_norm.bias", count: width)
        let filter = try weights.transposed("\(name).conv_dw.weight", rows: width, columns: taps)
        self.filter = weights.product(filter, scales)
        bias = weights.sum(weights.product(try weights.vector("\(name).conv_dw.bias", count: width), scales), offsets)
        output = try weights.biasedProjection("\(name).conv_pw2", rows: width, columns: width)
    }
}

extension Weights {
    /// A layer norm of an encoder's residual stream.
    fileprivate func layerNorm(
        _ name: String, _ configuration: AudioConfiguration
    ) throws(ModelError) -> LayerNorm {
        try layerNorm(name, count: configuration.embeddingLength, epsilon: configuration.normEpsilon)
    }
}
