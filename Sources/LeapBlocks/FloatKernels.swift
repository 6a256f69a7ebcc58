/// One CPU level's functions for rows of 32-bit floats and for cached keys and values.
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

    /// `layerNorm(x, weight, bias, output, count, epsilon)`:
    ///
    ///     output[i] = (x[i] − mean(x)) / √(mean((x − mean(x))²) + epsilon) · weight[i] + bias[i]
    ///
    /// `output` may be `x`. Source: Ba, Kiros and Hinton 2016, "Layer Normalization", equation 4.
    public typealias LayerNorm =
        @convention(c) (
            _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
            _ output: UnsafeMutablePointer<Float>, _ count: Int, _ epsilon: Float
        ) -> Void

    /// `gelu(x, count)`, in place: `x[i] ← x[i] / 2 · (1 + tanh(√(2/π) · (x[i] + 0.044715 · x[i]³)))`, or
    /// `x[i] ← x[i] / 2 · (1 + erf(x[i] / √2))` in the exact form.
    /// Source: Hendrycks and Gimpel 2016, "Gaussian Error Linear Units (GELUs)", section 2.
    public typealias GELU = @convention(c) (_ x: UnsafeMutablePointer<Float>, _ count: Int) -> Void

    /// `add(x, y, count)`: `x[i] += y[i]`.
    public typealias Add =
        @convention(c) (_ x: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ count: Int) -> Void

    /// `addScaled(x, y, factor, count)`: `x[i] += factor · y[i]`.
    public typealias AddScaled =
        @convention(c) (
            _ x: UnsafeMutablePointer<Float>, _ y: UnsafePointer<Float>, _ factor: Float, _ count: Int
        ) -> Void

    /// `softCap(x, cap, count)`: `x[i] = cap · tanh(x[i] / cap)`, which bounds `x` and barely changes values far below
    /// the bound. Source: Gemma Team 2024, "Gemma 2", section 2.
    public typealias SoftCap =
        @convention(c) (_ x: UnsafeMutablePointer<Float>, _ cap: Float, _ count: Int) -> Void

    /// `x[i] ← exp(factor · x[i]) / Σ exp(factor · x[j])`, in place.
    ///
    /// - Parameters:
    ///   - x: `count` numbers; at least one.
    ///   - factor: Positive.
    public typealias Softmax =
        @convention(c) (_ x: UnsafeMutablePointer<Float>, _ factor: Float, _ count: Int) -> Void

    /// `glu(gate, up, output, count)`: a gated linear unit, `output[i] = activation(gate[i]) · up[i]`. `output` may be
    /// `gate` or `up`. The activations are
    ///
    ///     swiGLU    x · σ(x)
    ///     geGLU     x · σ(2 · √(2/π) · (x + 0.044715 · x³))        GELU in the form with tanh
    ///     exactGEGLU    x / 2 · (1 + erf(x / √2))                  GELU in the exact form
    ///     sigmoidGLU    σ(x)
    ///
    /// `boundedSwiGLU` also changes the second factor: `x · σ(1.702 · x) · (u + 1)` with `x = min(gate[i], 7)` and `u`
    /// equal to `up[i]` clamped to −7 … 7.
    ///
    /// Source: Shazeer 2020, "GLU Variants Improve Transformer", equations 5 and 6; Hendrycks and Gimpel 2016, "Gaussian Error
    /// Linear Units", section 2; the models of gpt-oss in Hugging Face's transformers.
    public typealias GLU =
        @convention(c) (
            _ gate: UnsafePointer<Float>, _ up: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>,
            _ count: Int
        ) -> Void

    /// Rotary position embedding in place on `heads` consecutive heads of `headDimension` floats; the first `2 · pairs`
    /// floats of each head are rotated by the angles whose cosines and sines are given (`pairs` of each):
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

    /// Stores the key and the value of one position of one key/value head: `position` within a tile of the cache, whose
    /// layout ``KeyValueTile`` describes. `f16` and `bf16` are rounded to nearest even; `q8_0` is quantised as
    /// activations are, with `d = max |x| / 127` in half precision, to the nearest multiples of `d`.
    ///
    /// Types are raw values of ``KeyValueType``.
    public typealias StoreKeyValue =
        @convention(c) (
            _ key: UnsafePointer<Float>, _ value: UnsafePointer<Float>, _ headDimension: Int, _ position: Int,
            _ keys: UnsafeMutableRawPointer, _ keyType: UInt32,
            _ values: UnsafeMutableRawPointer, _ valueType: UInt32
        ) -> Void

    /// `prepareQueries(query, queries, headDimension, prepared)`: converts queries to the additional form that
    /// ``Attend`` needs besides their floats, once for all tiles of positions.
    ///
    /// `query` is `[queries, headDimension]`; `prepared` has ``KeyValueTile/preparedCount(queries:headDimension:)``
    /// floats, which only the same level's ``Attend`` reads, if it needs them.
    public typealias PrepareQueries =
        @convention(c) (
            _ query: UnsafePointer<Float>, _ queries: Int, _ headDimension: Int,
            _ prepared: UnsafeMutablePointer<Float>
        ) -> Void

    /// Attention of a tile of `queries` that share one key/value head, over the first `positions` of one tile of the
    /// cache (see ``KeyValueTile``), with an online softmax of base 2. Query `i` sees the last `window` of the
    /// positions `p < visible + i / group`:
    ///
    ///     sₚ = query[i] · key[p]         m′ = max(m, maxₚ sₚ)
    ///     sum       ← sum · 2^(m − m′) + Σₚ 2^(sₚ − m′)
    ///     output[i] ← output[i] · 2^(m − m′) + Σₚ 2^(sₚ − m′) · value[p]
    ///
    /// so that tiles may be visited one after another; after the last one, `output[i] / sum` is the attention. Queries
    /// are already multiplied by the scale of the scores, log₂ e included.
    ///
    /// For at most ``KeyValueTile/directQueries`` queries, each query's result is bit-identical to the one computed for
    /// it alone.
    ///
    /// `prepared` is what ``PrepareQueries`` wrote for these queries; it is not read if there are no more than that.
    ///
    /// `query` and `output` are `[queries, headDimension]`, contiguous. `running` is `[queries, 2]`, `(m, sum)`, and
    /// starts as `(−∞, 0)` with `output` zero, or as `(s, 1)` if a sink of score `s` takes part in the sum. Types are
    /// raw values of ``KeyValueType``. Key panels that hold any of the positions are read in full; of the values, only
    /// the positions are read. `scratch` has ``KeyValueTile/scratchCount(queries:headDimension:)`` floats. `positions`
    /// and `window` are at least 1; `visible` may be negative; ``KeyValueTile/unlimited`` is a window of all positions.
    /// `next` is an address from which keys, and after them values, will be read next; they are prefetched, and need
    /// not be readable.
    /// Source: Milakov and Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3; Dao et al. 2022,
    /// "FlashAttention", algorithm 1.
    public typealias Attend =
        @convention(c) (
            _ query: UnsafePointer<Float>, _ prepared: UnsafePointer<Float>, _ queries: Int,
            _ keys: UnsafeRawPointer, _ keyType: UInt32, _ values: UnsafeRawPointer, _ valueType: UInt32,
            _ positions: Int, _ headDimension: Int, _ visible: Int, _ window: Int, _ group: Int,
            _ next: UnsafeRawPointer,
            _ scratch: UnsafeMutablePointer<Float>, _ running: UnsafeMutablePointer<Float>,
            _ output: UnsafeMutablePointer<Float>
        ) -> Void

    /// Merges the results of ``Attend`` for one query over `splits` parts of the positions:
    ///
    ///     target = Σᵢ 2^(mᵢ − m) · outputᵢ  /  Σᵢ 2^(mᵢ − m) · sumᵢ        with m = maxᵢ mᵢ
    ///
    /// `outputs[i · outputStride]` is the start of `headDimension` floats, `running[i · runningStride]` is `(mᵢ,
    /// sumᵢ)`. A single split is only divided by its sum.
    /// Source: Dao et al. 2023, "Flash-Decoding for long-context inference".
    public typealias CombineAttention =
        @convention(c) (
            _ outputs: UnsafePointer<Float>, _ outputStride: Int, _ running: UnsafePointer<Float>, _ runningStride: Int,
            _ splits: Int, _ headDimension: Int, _ target: UnsafeMutablePointer<Float>
        ) -> Void

    /// `rows` steps of LFM2's gated short convolution, a causal depthwise FIR of `taps` taps between two gates, for the
    /// channels `first ..< first + count`:
    ///
    ///     u = b ⊙ x;   output[i] = c[i] · (Σ_{t < taps − 1} filter[t · channels + i] · state[t · channels + i]
    ///                                      + filter[(taps − 1) · channels + i] · u[i])
    ///
    /// A row of `gates` is `[b | c | x]`, `3 · channels` floats; a row of `output` is `channels` floats. `state` holds
    /// the last `taps − 1` values of `u`, oldest first, `[taps − 1, channels]`, and is shifted by one with every row.
    /// `filter` is `[taps, channels]`.
    /// Source: LFM2 technical report (Liquid AI 2025), "gated short convolution block".
    public typealias ShortConvolution =
        @convention(c) (
            _ gates: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
            _ output: UnsafeMutablePointer<Float>, _ rows: Int, _ channels: Int, _ taps: Int, _ first: Int, _ count: Int
        ) -> Void

    /// `rows` steps of a causal depthwise FIR of `taps` taps, followed by SiLU, for `count` neighbouring channels:
    ///
    ///     y = Σ_{t < taps − 1} filter[t · channels + i] · state[t · channels + i] + filter[(taps − 1) · channels + i] · x[i]
    ///     y ← y + bias[i], if there is a bias
    ///     output[i] = y · σ(y)
    ///
    /// `state` and `filter` point to the first channel, in matrices `[taps − 1, channels]` and `[taps, channels]`; the
    /// state holds the previous inputs, oldest first, and is shifted by one with every row. `x[r · stride]` is the
    /// start of a row's inputs, `output[r · stride]` of its outputs.
    public typealias CausalConvolution =
        @convention(c) (
            _ x: UnsafePointer<Float>, _ state: UnsafeMutablePointer<Float>, _ filter: UnsafePointer<Float>,
            _ bias: UnsafePointer<Float>?, _ output: UnsafeMutablePointer<Float>, _ stride: Int, _ rows: Int,
            _ channels: Int, _ taps: Int,
            _ count: Int
        ) -> Void

    /// `rows` steps of the gated delta rule, for up to ``DeltaRule/columns`` neighbouring elements of one head's values:
    ///
    ///     S ← αᵣ · S;   S ← S + kᵣ ⊗ βᵣ · (vᵣ − Sᵀ · kᵣ);   outputᵣ = Sᵀ · qᵣ
    ///
    /// `state` is S, `[dimension, DeltaRule.columns]`, of which `columns` columns are used. `query[r · stride]`, `key[r
    /// · stride]` and `value[r · stride]` are the starts of a row's `dimension`, `dimension` and `columns` floats, α is
    /// `decay[r · gateStride]`, β is `rate[r · gateStride]`, and `output[r · outputStride]` is the start of the row's
    /// output.
    /// Source: Yang, Kautz and Hatamizadeh 2024, "Gated Delta Networks", equation 10.
    public typealias DeltaRuleSteps =
        @convention(c) (
            _ state: UnsafeMutablePointer<Float>, _ query: UnsafePointer<Float>, _ key: UnsafePointer<Float>,
            _ value: UnsafePointer<Float>, _ stride: Int, _ decay: UnsafePointer<Float>, _ rate: UnsafePointer<Float>,
            _ gateStride: Int, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ rows: Int,
            _ dimension: Int, _ columns: Int
        ) -> Void

    /// The same steps for a state space, which adds values to its state without comparing them with what is stored:
    ///
    ///     S ← αᵣ · S + kᵣ ⊗ βᵣ · vᵣ;   outputᵣ = Sᵀ · qᵣ
    ///
    /// Source: Dao and Gu 2024, "Transformers are SSMs", section 2 and listing 1, where α is exp(Δ · A), β is Δ, and key, query
    /// and value are called B, C and X.
    public typealias StateSpaceSteps = DeltaRuleSteps

    /// `toHalf(source, destination, count)`: rounds to nearest even half precision.
    public typealias ToHalf =
        @convention(c) (_ source: UnsafePointer<Float>, _ destination: UnsafeMutablePointer<UInt16>, _ count: Int) ->
        Void

    /// `copyRows(source, sourceStride, destination, destinationStride, rows, count)`: copies `count` floats of each of `rows`
    /// rows. Strides are in floats; the rows do not overlap.
    public typealias CopyRows =
        @convention(c) (
            _ source: UnsafePointer<Float>, _ sourceStride: Int, _ destination: UnsafeMutablePointer<Float>,
            _ destinationStride: Int, _ rows: Int, _ count: Int
        ) -> Void

    /// `prefetchRows(rows, stride, count, width)`: begins to fetch `width` floats of each of `count` rows into a cache, because
    /// they will soon be written. `stride` is in floats.
    public typealias PrefetchRows =
        @convention(c) (_ rows: UnsafePointer<Float>, _ stride: Int, _ count: Int, _ width: Int) -> Void

    /// `readBytes(source, count)`: reads every byte once and returns a checksum; measures read bandwidth.
    public typealias ReadBytes = @convention(c) (_ source: UnsafeRawPointer, _ count: Int) -> UInt64

    /// See ``RMSNorm``.
    public let rmsNorm: RMSNorm
    /// See ``LayerNorm``.
    public let layerNorm: LayerNorm
    /// See ``GELU``.
    public let gelu: GELU
    /// See ``GELU``; the exact form.
    public let exactGELU: GELU
    /// See ``Add``.
    public let add: Add
    /// See ``AddScaled``.
    public let addScaled: AddScaled
    /// See ``SoftCap``.
    public let softCap: SoftCap
    /// See ``Softmax``.
    public let softmax: Softmax
    /// See ``GLU``; gated by SiLU.
    public let swiGLU: GLU
    /// See ``GLU``; gated by GELU.
    public let geGLU: GLU
    /// See ``GLU``; gated by GELU in the exact form.
    public let exactGEGLU: GLU
    /// See ``GLU``; gated by SiLU with a factor, between bounds.
    public let boundedSwiGLU: GLU
    /// See ``GLU``; gated by the sigmoid alone.
    public let sigmoidGLU: GLU
    /// See ``RoPE``; pairs half a rotated head apart.
    public let ropeNeoX: RoPE
    /// See ``RoPE``; neighbouring pairs.
    public let ropeInterleaved: RoPE
    /// See ``StoreKeyValue``.
    public let storeKeyValue: StoreKeyValue
    /// See ``PrepareQueries``.
    public let prepareQueries: PrepareQueries
    /// See ``Attend``.
    public let attend: Attend
    /// See ``CombineAttention``.
    public let combineAttention: CombineAttention
    /// See ``ShortConvolution``.
    public let shortConvolution: ShortConvolution
    /// See ``CausalConvolution``.
    public let causalConvolution: CausalConvolution
    /// See ``DeltaRuleSteps``.
    public let deltaRule: DeltaRuleSteps
    /// See ``StateSpaceSteps``.
    public let stateSpace: StateSpaceSteps
    /// See ``ToHalf``.
    public let toHalf: ToHalf
    /// See ``CopyRows``.
    public let copyRows: CopyRows
    /// See ``PrefetchRows``.
    public let prefetchRows: PrefetchRows
    /// See ``ReadBytes``.
    public let readBytes: ReadBytes

    /// Groups a level's functions.
    public init(
        rmsNorm: @escaping RMSNorm, layerNorm: @escaping LayerNorm, gelu: @escaping GELU, exactGELU: @escaping GELU,
        add: @escaping Add, addScaled: @escaping AddScaled, softCap: @escaping SoftCap, softmax: @escaping Softmax,
        swiGLU: @escaping GLU, geGLU: @escaping GLU, exactGEGLU: @escaping GLU, boundedSwiGLU: @escaping GLU,
        sigmoidGLU: @escaping GLU, ropeNeoX: @escaping RoPE, ropeInterleaved: @escaping RoPE,
        storeKeyValue: @escaping StoreKeyValue, prepareQueries: @escaping PrepareQueries, attend: @escaping Attend,
        combineAttention: @escaping CombineAttention, shortConvolution: @escaping ShortConvolution,
        causalConvolution: @escaping CausalConvolution, deltaRule: @escaping DeltaRuleSteps,
        stateSpace: @escaping StateSpaceSteps, toHalf: @escaping ToHalf, copyRows: @escaping CopyRows,
        prefetchRows: @escaping PrefetchRows, readBytes: @escaping ReadBytes
    ) {
        self.rmsNorm = rmsNorm
        self.layerNorm = layerNorm
        self.gelu = gelu
        self.exactGELU = exactGELU
        self.add = add
        self.addScaled = addScaled
        self.softCap = softCap
        self.softmax = softmax
        self.swiGLU = swiGLU
        self.geGLU = geGLU
        self.exactGEGLU = exactGEGLU
        self.boundedSwiGLU = boundedSwiGLU
        self.sigmoidGLU = sigmoidGLU
        self.ropeNeoX = ropeNeoX
        self.ropeInterleaved = ropeInterleaved
        self.storeKeyValue = storeKeyValue
        self.prepareQueries = prepareQueries
        self.attend = attend
        self.combineAttention = combineAttention
        self.shortConvolution = shortConvolution
        self.causalConvolution = causalConvolution
        self.deltaRule = deltaRule
        self.stateSpace = stateSpace
        self.toHalf = toHalf
        self.copyRows = copyRows
        self.prefetchRows = prefetchRows
        self.readBytes = readBytes
    }
}

extension FloatKernels {
    /// The functions that a level improves over `base`; all others are taken from `base`.
    public init(
        over base: FloatKernels, rmsNorm: RMSNorm? = nil, layerNorm: LayerNorm? = nil, gelu: GELU? = nil,
        exactGELU: GELU? = nil, add: Add? = nil, addScaled: AddScaled? = nil, softCap: SoftCap? = nil,
        softmax: Softmax? = nil, swiGLU: GLU? = nil, geGLU: GLU? = nil, exactGEGLU: GLU? = nil,
        boundedSwiGLU: GLU? = nil, sigmoidGLU: GLU? = nil, ropeNeoX: RoPE? = nil, ropeInterleaved: RoPE? = nil,
        storeKeyValue: StoreKeyValue? = nil, prepareQueries: PrepareQueries? = nil, attend: Attend? = nil,
        combineAttention: CombineAttention? = nil, shortConvolution: ShortConvolution? = nil,
        causalConvolution: CausalConvolution? = nil, deltaRule: DeltaRuleSteps? = nil,
        stateSpace: StateSpaceSteps? = nil, toHalf: ToHalf? = nil, copyRows: CopyRows? = nil,
        prefetchRows: PrefetchRows? = nil, readBytes: ReadBytes? = nil
    ) {
        self.init(
            rmsNorm: rmsNorm ?? base.rmsNorm, layerNorm: layerNorm ?? base.layerNorm, gelu: gelu ?? base.gelu,
            exactGELU: exactGELU ?? base.exactGELU, add: add ?? base.add, addScaled: addScaled ?? base.addScaled,
            softCap: softCap ?? base.softCap, softmax: softmax ?? base.softmax, swiGLU: swiGLU ?? base.swiGLU,
            geGLU: geGLU ?? base.geGLU, exactGEGLU: exactGEGLU ?? base.exactGEGLU,
            boundedSwiGLU: boundedSwiGLU ?? base.boundedSwiGLU, sigmoidGLU: sigmoidGLU ?? base.sigmoidGLU,
            ropeNeoX: ropeNeoX ?? base.ropeNeoX, ropeInterleaved: ropeInterleaved ?? base.ropeInterleaved,
            storeKeyValue: storeKeyValue ?? base.storeKeyValue, prepareQueries: prepareQueries ?? base.prepareQueries,
            attend: attend ?? base.attend, combineAttention: combineAttention ?? base.combineAttention,
            shortConvolution: shortConvolution ?? base.shortConvolution,
            causalConvolution: causalConvolution ?? base.causalConvolution, deltaRule: deltaRule ?? base.deltaRule,
            stateSpace: stateSpace ?? base.stateSpace, toHalf: toHalf ?? base.toHalf,
            copyRows: copyRows ?? base.copyRows, prefetchRows: prefetchRows ?? base.prefetchRows,
            readBytes: readBytes ?? base.readBytes)
    }
}
