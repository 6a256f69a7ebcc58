/// One CPU level's functions for rows of 32-bit floats and for half-precision key/value rows.
///
/// Half precision travels as `UInt16` bit patterns, because `Float16` does not exist on every platform.
public struct FloatKernels: Sendable {
    /// `rmsNorm(x, weight, output, count, epsilon)`: `output[i] = x[i] · weight[i] / √(mean(x²) + epsilon)`.
    /// `output` may be `x`. Source: Zhang and Sennrich 2019, "Root Mean Square Layer Normalization", equation 4.
    public typealias RMSNorm =
        @convention(c) (
            _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
            _ count: Int, _ epsilon: Float
        ) -> Void

    /// `add(x, y, count)`: `x[i] += y[i]`.
    public typealias Add =
        @convention(c) (_ x: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int) -> Void

    /// `swiGLU(gate, up, output, count)`: `output[i] = gate[i] · σ(gate[i]) · up[i]`. `output` may be `gate` or `up`.
    /// Source: Shazeer 2020, "GLU Variants Improve Transformer", equation 6.
    public typealias SwiGLU =
        @convention(c) (
            _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
            _ count: Int
        ) -> Void

    /// Rotary position embedding in place on `heads` consecutive heads of `headDimension` floats; the first
    /// `2 · pairs` floats of each head are rotated by the angles whose cosines and sines are given (`pairs` of each):
    ///
    ///     (a, b) ← (a · cos θ − b · sin θ, a · sin θ + b · cos θ)
    ///
    /// The pair is `(x[i], x[i + pairs])` in NeoX order, `(x[2i], x[2i + 1])` in interleaved order.
    /// Source: Su et al. 2021, "RoFormer", section 3.4.2.
    public typealias RoPE =
        @convention(c) (
            _ x: UnsafeMutablePointer<Float>, _ heads: Int, _ headDimension: Int,
            _ cosines: UnsafePointer<Float>, _ sines: UnsafePointer<Float>, _ pairs: Int
        ) -> Void

    /// Attention of `queries` query heads that share one key/value head, over one tile of cached positions, with an
    /// online softmax: for every query `h`
    ///
    ///     sₚ = scale · query[h] · key[p]         m′ = max(m, maxₚ sₚ)
    ///     sum     ← sum · e^(m − m′) + Σₚ e^(sₚ − m′)
    ///     output[h] ← output[h] · e^(m − m′) + Σₚ e^(sₚ − m′) · value[p]
    ///
    /// so that tiles may be visited one after another; `output[h] / sum` after the last one is the attention.
    /// `query` and `output` are `[queries, headDimension]`, contiguous. `running` is `[queries, 2]`, `(m, sum)`, and
    /// starts as `(−∞, 0)` with `output` zero. `keys` and `values` are `[positions, headDimension]`, contiguous, in half
    /// precision or as floats. `scores` is scratch of `queries × positions` floats. `positions` is at least 1.
    /// Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3.
    public typealias Attend =
        @convention(c) (
            _ query: UnsafePointer<Float>, _ queries: Int,
            _ keys: UnsafeRawPointer, _ values: UnsafeRawPointer, _ positions: Int,
            _ headDimension: Int, _ scale: Float,
            _ scores: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
            _ output: UnsafeMutablePointer<Float>
        ) -> Void

    /// One step of LFM2's gated short convolution, a causal depthwise FIR of `taps` taps between two gates:
    ///
    ///     u = b ⊙ x;   output[i] = c[i] · (Σ_{t < taps − 1} filter[i · taps + t] · state[t · channels + i]
    ///                                      + filter[i · taps + taps − 1] · u[i])
    ///
    /// `gates` is `[b | c | x]`, `3 · channels` floats. `state` holds the last `taps − 1` values of `u`, oldest first,
    /// `[taps − 1, channels]`, and is shifted by one in the same pass. `filter` is `[channels, taps]`.
    /// Source: LFM2 technical report (Liquid AI 2025), "gated short convolution block".
    public typealias ShortConvolution =
        @convention(c) (
            _ gates: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
            _ output: UnsafeMutablePointer<Float>, _ channels: Int, _ taps: Int
        ) -> Void

    /// `toHalf(source, destination, count)`: rounds to nearest even half precision.
    public typealias ToHalf =
        @convention(c) (_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<UInt16>, _ count: Int) ->
        Void

    /// `readBytes(source, count)`: reads every byte once and returns a checksum; measures read bandwidth.
    public typealias ReadBytes = @convention(c) (_ source: UnsafeRawPointer, _ count: Int) -> UInt64

    /// See ``RMSNorm``.
    public let rmsNorm: RMSNorm
    /// See ``Add``.
    public let add: Add
    /// See ``SwiGLU``.
    public let swiGLU: SwiGLU
    /// See ``RoPE``; pairs half a rotated head apart.
    public let ropeNeoX: RoPE
    /// See ``RoPE``; neighbouring pairs.
    public let ropeInterleaved: RoPE
    /// See ``Attend``; keys and values in half precision.
    public let attendHalves: Attend
    /// See ``Attend``; keys and values as floats.
    public let attendFloats: Attend
    /// See ``ShortConvolution``.
    public let shortConvolution: ShortConvolution
    /// See ``ToHalf``.
    public let toHalf: ToHalf
    /// See ``ReadBytes``.
    public let readBytes: ReadBytes

    /// Groups a level's functions.
    public init(
        rmsNorm: @escaping RMSNorm, add: @escaping Add, swiGLU: @escaping SwiGLU, ropeNeoX: @escaping RoPE,
        ropeInterleaved: @escaping RoPE, attendHalves: @escaping Attend, attendFloats: @escaping Attend,
        shortConvolution: @escaping ShortConvolution, toHalf: @escaping ToHalf, readBytes: @escaping ReadBytes
    ) {
        self.rmsNorm = rmsNorm
        self.add = add
        self.swiGLU = swiGLU
        self.ropeNeoX = ropeNeoX
        self.ropeInterleaved = ropeInterleaved
        self.attendHalves = attendHalves
        self.attendFloats = attendFloats
        self.shortConvolution = shortConvolution
        self.toHalf = toHalf
        self.readBytes = readBytes
    }
}
