import LeapBlocks

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The attention parameters of a layer, which do not depend on the rows.
public struct AttentionRule: Sendable {
    /// Heads of keys and values, each of which several query heads may share.
    public let keyValueHeads: Int
    /// Elements of a head.
    public let headDimension: Int
    /// Factor on the scores.
    public let scale: Float
    /// The sliding window: positions that a row attends to, its own included; `nil` for all. If the rule is not causal, the
    /// window is centred on the row: half of it on either side.
    public let window: Int?
    /// The growth of queries with their positions; `nil` for none.
    public let temperature: QueryTemperature?
    /// Attention sinks: one more score per query head, which takes part in the softmax but has no value; `nil` for none.
    ///
    /// The memory belongs to the model and outlives all passes. A sink of −∞ has no effect.
    nonisolated(unsafe) public let sinks: UnsafePointer<Float>?
    /// Whether a row sees the positions up to its own; otherwise it sees all of its sequence's rows in the pass, as in
    /// encoders.
    public let isCausal: Bool

    /// A rule.
    ///
    /// - Parameters:
    ///   - scale: `nil` means `1 / √headDimension`.
    ///   - window: At least 1.
    ///   - sinks: One per query head; finite, or −∞.
    public init(
        keyValueHeads: Int, headDimension: Int, scale: Float? = nil, window: Int? = nil,
        temperature: QueryTemperature? = nil, sinks: UnsafePointer<Float>? = nil, isCausal: Bool = true
    ) {
        self.keyValueHeads = keyValueHeads
        self.headDimension = headDimension
        self.scale = scale ?? 1 / Float(headDimension).squareRoot()
        self.window = window
        self.temperature = temperature
        self.sinks = sinks
        self.isCausal = isCausal
    }
}

extension AttentionRule {
    /// The same rule, but not causal and without a window.
    public var seeingAll: AttentionRule {
        AttentionRule(
            keyValueHeads: keyValueHeads, headDimension: headDimension, scale: scale, temperature: temperature,
            sinks: sinks, isCausal: false)
    }

    /// Whether a window keeps rows from seeing all of a text of `length` tokens.
    public func windowCuts(textOf length: Int) -> Bool {
        window.map { (isCausal ? $0 : $0 / 2 + 1) < length } ?? false
    }

    /// The most positions after its own that a row attends to; `nil` for all of its text.
    var reach: Int? { isCausal ? 0 : window.map { $0 / 2 } }

    /// The window as kernels take it: counted back from the last position that a row attends to.
    var kernelWindow: Int {
        guard let window else { return KeyValueTile.unlimited }
        return isCausal ? window : 2 * (window / 2) + 1
    }

    /// The first position that a row at `position` visits: the start of the tile that contains the beginning of the
    /// window of the first row in `position`'s own tile. So all rows of a tile visit the same tiles.
    public func firstVisited(from position: Int) -> Int {
        isCausal ? Self.firstVisited(from: position, window: window ?? KeyValueTile.unlimited) : 0
    }

    static func firstVisited(from position: Int, window: Int) -> Int {
        let ownTile = position / KeyValueTile.positions * KeyValueTile.positions
        return max(0, ownTile + 1 - window) / KeyValueTile.positions * KeyValueTile.positions
    }

    /// The most positions of a sequence whose keys and values are kept at a time. Positions that no future row visits
    /// are dropped.
    ///
    /// - Parameters:
    ///   - positions: The positions of the sequence.
    ///   - passLength: The most rows of a pass.
    public func keptPositions(of positions: Int, passLength: Int) -> Int {
        guard isCausal, let window, window < positions else { return positions }
        // The worst case: a pass that begins at the last position of a tile, and the window of its first row.
        let seen = window - 1 + KeyValueTile.positions - 1
        return min(positions, (seen / KeyValueTile.positions + 1) * KeyValueTile.positions + passLength)
    }
}

/// A factor on queries that grows with their positions, so that attention stays sharp over many keys:
///
///     1 + scale · ln(1 + ⌊position / length⌋)
///
/// Source: the models of Llama 4 and Ministral 3 in Hugging Face's transformers.
public struct QueryTemperature: Sendable, Hashable {
    /// The growth rate of the factor.
    public let scale: Float
    /// Positions after which it grows for the first time.
    public let length: Int

    /// A temperature.
    ///
    /// - Parameter length: At least 1.
    public init(scale: Float, length: Int) {
        self.scale = scale
        self.length = length
    }

    /// The factor on the query at a position.
    func factor(at position: Int) -> Float {
        position < length ? 1 : 1 + scale * Float(log(Double(1 + position / length)))
    }
}

extension Compute {
    /// The number of multiply-adds from which attention is worth waking other threads.
    private static let parallelWork = 200_000

    /// Attention of every row over its own sequence; for a causal rule:
    ///
    ///     output[i][h] = Σ_{p ≤ position[i]} softmax_p(scale · query[i][h] · key[p]) · value[p]
    ///
    /// over the positions of the rule's window, and with `e^sink[h]` in the softmax's sum if the rule has sinks. If the
    /// rule is not causal, `p` runs to the position of the sequence's last row, or to the one before `end`; this is for
    /// rows of prompts only, and those of a sequence must be consecutive. Consecutive query heads share a key/value
    /// head (GQA).
    ///
    /// - Parameters:
    ///   - query: `[n, queryHeads · headDimension]`, rotated.
    ///   - rule: The layer's attention parameters.
    ///   - caches: For every row, the cache of its sequence, which holds all positions up to the row's own. All have
    ///     the same shape.
    ///   - positions: For every row, its position in its sequence.
    ///   - kind: The kind of the rows.
    ///   - end: If the rule is not causal: the position after the last one that rows attend to, if the cache holds more
    ///     than that.
    ///   - output: `[n, queryHeads · headDimension]`.
    /// - Source: Ainslie et al. 2023, "GQA", section 2.2; Dao et al. 2022, "FlashAttention", algorithm 1; sinks: Xiao et al. 2023,
    ///   "Efficient Streaming Language Models with Attention Sinks", and the models of gpt-oss.
    public func attention(
        _ query: Rows, _ rule: AttentionRule, over caches: UnsafePointer<KeyValueView>,
        positions: UnsafePointer<Int>, _ kind: RowKind, upTo end: Int? = nil, into output: Rows
    ) {
        guard query.count > 0 else { return }
        let start = profiler.begin()
        defer { profiler.end(start, .attention(query, rule, over: caches, positions: positions)) }
        let shape = AttentionPlan.Shape(rule, queryWidth: query.width, kind, rows: query.count, threads: threads)
        let rows = AttentionPlan.SequenceRows(count: query.count, caches: caches, positions: positions, end: end)
        let counts =
            isCounting
            ? AttentionPlan.Counts(atMost: query.count, positions: positionLimit, shape)
            : AttentionPlan.Counts(rows, shape)
        let plan = AttentionPlan.room(for: counts, shape, scratch)
        let work = AttentionWork(
            kernels: kernels.floats, items: plan.items, query: query, caches: caches, positions: positions,
            output: output, rule: rule, shape: shape,
            scratch: scratch.rows(threads, width: AttentionWork.scratchCount(queries: plan.largestTile, shape)),
            largestTile: plan.largestTile)
        guard !isCounting else { return }
        plan.divide(rows, shape)
        // Many tasks, because tiles are unequal: a row attends to all positions before it.
        pool.run(
            work, count: plan.items.count,
            tasks: plan.work < Self.parallelWork ? 1 : min(plan.items.count, 16 * threads))
        if !plan.joins.isEmpty {
            parallel(plan.joins.count, grain: 4, JoiningWork(joins: plan.joins, attention: work))
        }
    }
}

/// The items of an ``AttentionPlan``.
struct AttentionWork: ParallelWork {
    let kernels: FloatKernels
    let items: UnsafeMutableBufferPointer<AttentionPlan.Item>
    let query: Rows
    let caches: UnsafePointer<KeyValueView>
    let positions: UnsafePointer<Int>
    let output: Rows
    let rule: AttentionRule
    let shape: AttentionPlan.Shape
    /// For every worker: a tile's scaled queries, their prepared form, the softmax state, and the kernel's scratch
    /// memory.
    let scratch: Rows
    /// The most queries of an item.
    let largestTile: Int

    /// Floats of scratch memory per worker: whole cache lines, as are all parts of it.
    static func scratchCount(queries: Int, _ shape: AttentionPlan.Shape) -> Int {
        queryCount(queries, shape) + preparedCount(queries, shape)
            + AttentionState.size(queries: queries, headDimension: shape.headDimension)
            + KeyValueTile.scratchCount(queries: queries, headDimension: shape.headDimension)
    }

    private static func queryCount(_ queries: Int, _ shape: AttentionPlan.Shape) -> Int {
        (queries * shape.headDimension + 15) / 16 * 16
    }

    /// Rows of answers are not prepared: kernels multiply a few of them at a time with keys and values in their stored
    /// format.
    private static func preparedCount(_ queries: Int, _ shape: AttentionPlan.Shape) -> Int {
        shape.kind == .answer
            ? 0 : KeyValueTile.preparedCount(queries: queries, headDimension: shape.headDimension)
    }

    func run(_ range: Range<Int>, worker: Int) {
        for index in range {
            run(items[index], next: items[min(index + 1, range.upperBound - 1)], scratch[worker])
        }
    }

    private func run(
        _ item: AttentionPlan.Item, next: AttentionPlan.Item, _ scratch: UnsafeMutablePointer<Float>
    ) {
        let queries = shape.queries(ofRows: item.rows.count)
        let prepared = scratch + Self.queryCount(largestTile, shape)
        let own = AttentionState(
            base: prepared + Self.preparedCount(largestTile, shape), queries: queries,
            headDimension: shape.headDimension)
        let state = item.partial ?? own
        pack(item, into: scratch)
        if shape.kind == .prompt { kernels.prepareQueries(scratch, queries, shape.headDimension, prepared) }
        state.begin()
        if item.isFirst { addSinks(to: state, item) }
        attend(item, next: next, (UnsafePointer(scratch), UnsafePointer(prepared)), state, own.base + own.size)
        if item.partial == nil { finish(item.rows, item.head, state, splits: 1) }
    }

    /// Begins the softmax of every query with its head's sink, as if a position without a value had been visited.
    ///
    /// Only the first of several splits of the same rows does so. Padding rows of a tile have no sinks.
    private func addSinks(to state: AttentionState, _ item: AttentionPlan.Item) {
        guard let sinks = rule.sinks else { return }
        for query in 0..<item.rows.count * shape.group {
            let sink = sinks[item.head * shape.group + query % shape.group]
            if sink > -.infinity { state.begin(query, with: Self.log2e * sink) }
        }
    }

    /// Converts scores to base 2: log₂ e.
    private static let log2e: Float = 1.442_695_040_888_963_4

    /// Copies the item's queries, `[rows, group, headDimension]`, scaled for a softmax in base 2. Padding rows are
    /// zero.
    private func pack(_ item: AttentionPlan.Item, into target: UnsafeMutablePointer<Float>) {
        let width = shape.group * shape.headDimension
        for (index, row) in item.rows.enumerated() {
            let scale = Self.log2e * rule.scale * (rule.temperature?.factor(at: positions[row]) ?? 1)
            let (source, target) = (query[row] + item.head * width, target + index * width)
            for element in 0..<width { target[element] = source[element] * scale }
        }
        let filled = item.rows.count * width
        let count = shape.queries(ofRows: item.rows.count) * shape.headDimension
        (target + filled).update(repeating: 0, count: count - filled)
    }

    /// Visits the item's positions tile by tile, passing the kernel the address of the next tile so that it can
    /// prefetch it.
    private func attend(
        _ item: AttentionPlan.Item, next: AttentionPlan.Item,
        _ queries: (floats: UnsafePointer<Float>, prepared: UnsafePointer<Float>),
        _ state: AttentionState, _ scratch: UnsafeMutablePointer<Float>
    ) {
        let cache = caches[item.rows.lowerBound]
        let types = (keys: cache.shape.types.keys.rawValue, values: cache.shape.types.values.rawValue)
        var tile = cache.head(item.head, at: item.positions.lowerBound)
        for start in stride(from: item.positions.lowerBound, to: item.positions.upperBound, by: KeyValueTile.positions)
        {
            let end = start + KeyValueTile.positions
            let following =
                end < item.positions.upperBound
                ? cache.head(item.head, at: end)
                : caches[next.rows.lowerBound].head(next.head, at: next.positions.lowerBound)
            for first in stride(from: 0, to: item.rows.count, by: rowsPerCall(item)) {
                let rows = min(rowsPerCall(item), item.rows.count - first)
                let query = first * shape.group
                kernels.attend(
                    queries.floats + query * shape.headDimension, queries.prepared, shape.queries(ofRows: rows),
                    tile.keys, types.keys,
                    tile.values,
                    types.values, min(end, item.positions.upperBound) - start, shape.headDimension,
                    endOfView(ofRow: item.rows.lowerBound + first, item) - start, shape.window, shape.group,
                    following.keys,
                    scratch, state.running + 2 * query, state.outputs + query * shape.headDimension)
            }
            tile = following
        }
    }

    /// The end of the range of positions that a row attends to.
    private func endOfView(ofRow row: Int, _ item: AttentionPlan.Item) -> Int {
        shape.reach.map { positions[row] + 1 + $0 } ?? item.positions.upperBound
    }

    /// Rows per kernel call: all for prompts, whose rows were prepared; for answers, as many as the kernel for keys in
    /// stored format takes.
    private func rowsPerCall(_ item: AttentionPlan.Item) -> Int {
        shape.kind == .answer ? max(1, KeyValueTile.directQueries / shape.group) : item.rows.count
    }

    /// Divides by the sums of all splits together, and writes the rows' outputs of a head.
    func finish(_ rows: Range<Int>, _ head: Int, _ state: AttentionState, splits: Int) {
        let dimension = shape.headDimension
        for query in 0..<rows.count * shape.group {
            let (row, member) = query.quotientAndRemainder(dividingBy: shape.group)
            kernels.combineAttention(
                state.outputs + query * dimension, state.size, state.running + 2 * query, state.size, splits,
                dimension, output[rows.lowerBound + row] + (head * shape.group + member) * dimension)
        }
    }
}

/// The merging of the splits of an ``AttentionPlan``.
private struct JoiningWork: ParallelWork {
    let joins: UnsafeMutableBufferPointer<AttentionPlan.Join>
    let attention: AttentionWork

    func run(_ range: Range<Int>, worker: Int) {
        for index in range {
            let join = joins[index]
            attention.finish(join.rows, join.head, join.partials, splits: join.splits)
        }
    }
}
