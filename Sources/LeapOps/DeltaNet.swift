import Foundation
import LeapBlocks

/// The small weights of a layer with the gated delta rule.
public struct DeltaNetWeights {
    /// `[taps, channels]`
    public let filter: UnsafePointer<Float>
    /// For every value head, a factor on the time step; negative.
    public let decay: UnsafePointer<Float>
    /// For every value head, a bias that is added to the time step.
    public let timeBias: UnsafePointer<Float>
    /// `keyDimension` floats that normalise a query, as an RMS norm's gains.
    public let queryGains: UnsafePointer<Float>
    /// `keyDimension` floats that normalise a key, in the same way.
    public let keyGains: UnsafePointer<Float>
    /// The ε of the norms of queries and keys.
    public let epsilon: Float

    /// Groups the weights.
    public init(
        filter: UnsafePointer<Float>, decay: UnsafePointer<Float>, timeBias: UnsafePointer<Float>,
        queryGains: UnsafePointer<Float>, keyGains: UnsafePointer<Float>, epsilon: Float
    ) {
        self.filter = filter
        self.decay = decay
        self.timeBias = timeBias
        self.queryGains = queryGains
        self.keyGains = keyGains
        self.epsilon = epsilon
    }
}

extension Compute {
    /// The gated delta rule for consecutive rows of one sequence, preceded by its convolution:
    ///
    ///     q, k, v = SiLU(convolve(mixed));   q ← q / (|q| · √keyDimension);   k ← k / |k|
    ///     α = exp(decay · softplus(alpha + timeBias));   β = σ(beta)
    ///     S ← α · S;   S ← S + k ⊗ β · (v − Sᵀ · k);   output = Sᵀ · q
    ///
    /// - Parameters:
    ///   - inputs: `[n, …]`
    ///   - weights: The layer's weights.
    ///   - source: The sequence's memory before the rows.
    ///   - target: Receives the memory after them; may be `source`.
    ///   - scratch: Scratch memory for at least as many rows.
    ///   - output: `[n, valueWidth]`.
    public func deltaNet(
        _ inputs: RecurrentInputs, _ weights: DeltaNetWeights, from source: RecurrentMemory, to target: RecurrentMemory,
        _ scratch: RecurrentScratch, into output: Rows
    ) {
        let work = DeltaNetWork(
            kernels: kernels.floats, shape: source.shape, inputs: inputs, weights: weights, source: source,
            target: target, convolved: scratch.convolved, gates: scratch.gates, output: output)
        parallel(source.shape.keyHeads, grain: 1, work)
    }
}

/// Key heads, each with all of its value heads.
private struct DeltaNetWork: ParallelWork {
    let kernels: FloatKernels
    let shape: RecurrentShape
    let inputs: RecurrentInputs
    let weights: DeltaNetWeights
    let source: RecurrentMemory
    let target: RecurrentMemory
    let convolved: Rows
    let gates: Rows
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for keyHead in range {
            let query = keyHead * shape.keyDimension
            let key = shape.keyWidth + query
            convolve(query..<query + shape.keyDimension)
            convolve(key..<key + shape.keyDimension)
            normalize(query, weights.queryGains)
            normalize(key, weights.keyGains)
            for head in stride(from: keyHead, to: shape.valueHeads, by: shape.keyHeads) {
                let value = 2 * shape.keyWidth + head * shape.valueDimension
                convolve(value..<value + shape.valueDimension)
                computeGates(of: head)
                learn(head, query: query, key: key, value: value)
            }
        }
    }

    private func convolve(_ channels: Range<Int>) {
        if source !== target { target.copyHistory(channels, from: source) }
        let first = channels.lowerBound
        kernels.causalConvolution(
            inputs.mixed.base + first, target.base + first, weights.filter + first, nil, convolved.base + first,
            shape.channels, inputs.count, shape.channels, shape.taps, channels.count)
    }

    /// Normalises a query or key of every row in place.
    private func normalize(_ first: Int, _ gains: UnsafePointer<Float>) {
        for row in 0..<inputs.count {
            let x = convolved[row] + first
            kernels.rmsNorm(x, gains, x, shape.keyDimension, weights.epsilon)
        }
    }

    private func computeGates(of head: Int) {
        guard let beta = inputs.beta else { return }
        for row in 0..<inputs.count {
            let step = softplus(inputs.alpha[row][head] + weights.timeBias[head])
            gates[row][head] = exp(weights.decay[head] * step)
            gates[row][shape.valueHeads + head] = 1 / (1 + exp(-beta[row][head]))
        }
    }

    /// Applies the rows to a head's matrix, block by block, each block for all rows.
    private func learn(_ head: Int, query: Int, key: Int, value: Int) {
        let (from, to) = (source.matrix(of: head), target.matrix(of: head))
        for block in 0..<DeltaRule.blocks(valueDimension: shape.valueDimension) {
            let (start, first) = (block * shape.blockCount, block * DeltaRule.columns)
            if source !== target { (to + start).update(from: from + start, count: shape.blockCount) }
            kernels.deltaRule(
                to + start, convolved.base + query, convolved.base + key, convolved.base + value + first,
                shape.channels, gates.base + head, gates.base + shape.valueHeads + head, gates.width,
                output.base + head * shape.valueDimension + first, output.width, inputs.count, shape.keyDimension,
                min(DeltaRule.columns, shape.valueDimension - first))
        }
    }
}

/// log(1 + eˣ), which is x where eˣ is so large that the 1 is rounded away.
func softplus(_ x: Float) -> Float { x > 20 ? x : log1p(exp(x)) }

extension Compute {
    /// Splits heads that consist of two halves: `heads[n, 2 · width]` into all first halves, and all second halves.
    ///
    /// - Parameters:
    ///   - heads: A row is `[a₀ | b₀ | a₁ | b₁ | …]`, each of `dimension` floats.
    ///   - dimension: Half of a head.
    /// - Returns: `[n, width]`: all a, and all b.
    public func splitHalves(_ heads: Rows, dimension: Int) -> (first: Rows, second: Rows) {
        let width = heads.width / 2
        let halves = (first: scratch.rows(heads.count, width: width), second: scratch.rows(heads.count, width: width))
        guard !isCounting else { return halves }
        let start = beginOperation()
        defer { endOperation(start, .pointwise(.gating, heads, streams: 2)) }
        for row in 0..<heads.count {
            for offset in stride(from: 0, to: width, by: dimension) {
                let head = heads[row] + 2 * offset
                (halves.first[row] + offset).update(from: head, count: dimension)
                (halves.second[row] + offset).update(from: head + dimension, count: dimension)
            }
        }
        return halves
    }
}
