import Foundation
import LeapBlocks

/// The small weights of a layer with a state space.
public struct StateSpaceWeights {
    /// `[taps, channels]`
    public let filter: UnsafePointer<Float>
    /// `[channels]`: the bias of the convolution, if the layer has one.
    public let bias: UnsafePointer<Float>?
    /// For every head, a factor A on the time step; negative.
    public let decay: UnsafePointer<Float>
    /// For every head, a bias that is added to the time step.
    public let timeBias: UnsafePointer<Float>
    /// For every head, the factor D on the values that bypass the memory.
    public let skip: UnsafePointer<Float>

    /// Groups the weights.
    public init(
        filter: UnsafePointer<Float>, bias: UnsafePointer<Float>?, decay: UnsafePointer<Float>,
        timeBias: UnsafePointer<Float>, skip: UnsafePointer<Float>
    ) {
        self.filter = filter
        self.bias = bias
        self.decay = decay
        self.timeBias = timeBias
        self.skip = skip
    }
}

extension Compute {
    /// A state space for consecutive rows of one sequence, preceded by its convolution:
    ///
    ///     x, B, C = SiLU(convolve(mixed) + bias);   Δ = softplus(alpha + timeBias)
    ///     S ← exp(decay · Δ) · S + B ⊗ Δ · x;   output = Sᵀ · C + skip · x
    ///
    /// - Parameters:
    ///   - inputs: `[n, …]`; the channels are the values of all heads, then the keys and then the queries of all
    ///     groups.
    ///   - weights: The layer's weights.
    ///   - source: The sequence's memory before the rows.
    ///   - target: Receives the memory after them; may be `source`.
    ///   - scratch: Scratch memory for at least as many rows.
    ///   - output: `[n, valueWidth]`.
    /// - Source: Dao and Gu 2024, "Transformers are SSMs", sections 2 and 7.
    public func stateSpace(
        _ inputs: RecurrentInputs, _ weights: StateSpaceWeights, from source: RecurrentMemory,
        to target: RecurrentMemory, _ scratch: RecurrentScratch, into output: Rows
    ) {
        let shape = source.shape
        let pieces = (shape.channels + StateSpaceConvolution.piece - 1) / StateSpaceConvolution.piece
        parallel(
            pieces, grain: 1,
            StateSpaceConvolution(
                convolve: kernels.floats.causalConvolution, inputs: inputs.mixed, weights: weights, source: source,
                target: target, convolved: scratch.convolved))
        parallel(
            shape.valueHeads, grain: 1,
            StateSpaceWork(
                kernels: kernels.floats, shape: shape, inputs: inputs, weights: weights, source: source,
                target: target, convolved: scratch.convolved, gates: scratch.gates, output: output))
    }
}

/// Pieces of the channels, each for all rows.
private struct StateSpaceConvolution: ParallelWork {
    let convolve: FloatKernels.CausalConvolution
    let inputs: Rows
    let weights: StateSpaceWeights
    let source: RecurrentMemory
    let target: RecurrentMemory
    let convolved: Rows

    /// Channels of a piece: whole cache lines, so that threads do not share any.
    static let piece = 256

    func run(_ range: Range<Int>, worker: Int) {
        let shape = source.shape
        for index in range {
            let first = index * Self.piece
            let channels = first..<min(first + Self.piece, shape.channels)
            if source !== target { target.copyHistory(channels, from: source) }
            convolve(
                inputs.base + first, target.base + first, weights.filter + first, weights.bias.map { $0 + first },
                convolved.base + first, shape.channels, inputs.count, shape.channels, shape.taps, channels.count)
        }
    }
}

/// Value heads, each for all rows.
private struct StateSpaceWork: ParallelWork {
    let kernels: FloatKernels
    let shape: RecurrentShape
    let inputs: RecurrentInputs
    let weights: StateSpaceWeights
    let source: RecurrentMemory
    let target: RecurrentMemory
    let convolved: Rows
    let gates: Rows
    let output: Rows

    func run(_ range: Range<Int>, worker: Int) {
        for head in range {
            computeGates(of: head)
            learn(head)
            addSkipped(head)
        }
    }

    private func computeGates(of head: Int) {
        for row in 0..<inputs.count {
            let step = softplus(inputs.alpha[row][head] + weights.timeBias[head])
            gates[row][head] = exp(weights.decay[head] * step)
            gates[row][shape.valueHeads + head] = step
        }
    }

    /// Applies the rows to a head's matrix, block by block, each block for all rows.
    private func learn(_ head: Int) {
        let (from, to) = (source.matrix(of: head), target.matrix(of: head))
        let group = head / (shape.valueHeads / shape.keyHeads)
        let key = convolved.base + shape.valueWidth + group * shape.keyDimension
        let value = convolved.base + head * shape.valueDimension
        for block in 0..<DeltaRule.blocks(valueDimension: shape.valueDimension) {
            let (start, first) = (block * shape.blockCount, block * DeltaRule.columns)
            if source !== target { (to + start).update(from: from + start, count: shape.blockCount) }
            kernels.stateSpace(
                to + start, key + shape.keyWidth, key, value + first, shape.channels, gates.base + head,
                gates.base + shape.valueHeads + head, gates.width,
                output.base + head * shape.valueDimension + first, output.width, inputs.count, shape.keyDimension,
                min(DeltaRule.columns, shape.valueDimension - first))
        }
    }

    /// Adds the values that bypass the memory.
    private func addSkipped(_ head: Int) {
        let (first, skip) = (head * shape.valueDimension, weights.skip[head])
        for row in 0..<inputs.count {
            kernels.addScaled(output[row] + first, convolved[row] + first, skip, shape.valueDimension)
        }
    }
}
