import LeapBlocks

/// How the attention of a batch is divided into items, each of which is computed by a single thread.
///
/// Consecutive rows of a sequence whose queries share a key/value head form a tile, so that keys and values are read
/// once for all of them. For rows of answers, which are few, a long range of positions is split instead, so that all
/// threads have work whatever the number of heads.
///
/// How a row is computed depends only on its kind and its position, so that neither the other rows nor the number of
/// threads changes a bit of the result.
struct AttentionPlan {
    /// The queries of some rows for one key/value head, over some positions.
    struct Item {
        let rows: Range<Int>
        let head: Int
        /// Begins at a tile boundary of the cache.
        let positions: Range<Int>
        /// Where the partial result is stored until all splits are joined; `nil` if there are no other splits.
        let partial: AttentionState?
        /// Whether these are the first positions that the rows visit.
        let isFirst: Bool
    }

    /// The partial results of the splits of some rows, stored consecutively, to be merged.
    struct Join {
        let rows: Range<Int>
        let head: Int
        let partials: AttentionState
        let splits: Int
    }

    let items: UnsafeMutableBufferPointer<Item>
    let joins: UnsafeMutableBufferPointer<Join>
    /// The partial results of all splits, grouped by join.
    let partials: UnsafeMutablePointer<Float>
    /// The approximate number of multiply-adds of all items.
    let work: Int
    /// The most queries of an item.
    let largestTile: Int
}

/// Rows of one sequence at consecutive positions, and how they are divided for each head.
struct AttentionRun {
    let rows: Range<Int>
    /// Positions that the rows visit, from a tile boundary of the cache to the last row's own position.
    let positions: Range<Int>
    /// Rows of a tile, and the number of tiles.
    let tileRows: Int
    let tiles: Int
    /// Positions of a split, and the number of splits. Either this or `tiles` is 1.
    let splitLength: Int
    let splits: Int

    /// The fewest tiles of positions that justify an item of their own.
    private static let tilesPerSplit = 2
    /// The most splits of an answer's positions. Bounds the memory for partial results.
    private static let mostSplits = 16

    init(rows: Range<Int>, end: Int, _ shape: AttentionPlan.Shape) {
        self.rows = rows
        positions = shape.isCausal ? Self.start(ofRowsBefore: end, shape)..<end : 0..<end
        let largest = Self.mostRowsPerTile(of: rows.count, shape)
        let fewest = (rows.count + largest - 1) / largest
        // Tiles of equal size, so that no small remainder is left for which converting keys and values does not pay.
        tileRows = (rows.count + fewest - 1) / fewest
        tiles = (rows.count + tileRows - 1) / tileRows

        // All rows of a run visit the same tiles of positions, so drafted rows are split exactly as each would be
        // alone.
        let positionTiles = Self.tiles(of: positions.count)
        let wanted = Self.mostSplits(of: positions.count, shape)
        let tilesOfSplit = (positionTiles + wanted - 1) / wanted
        splitLength = tilesOfSplit * KeyValueTile.positions
        splits = (positionTiles + tilesOfSplit - 1) / tilesOfSplit
    }

    /// The largest tile, in rows, of a run of `rows` rows.
    static func mostRowsPerTile(of rows: Int, _ shape: AttentionPlan.Shape) -> Int {
        min(rows, shape.kind == .answer ? KeyValueTile.positions : max(1, shape.tileQueries / shape.group))
    }

    /// The first position visited by the rows of the cache tile before `end`.
    static func start(ofRowsBefore end: Int, _ shape: AttentionPlan.Shape) -> Int {
        AttentionRule.firstVisited(from: end - 1, window: shape.window)
    }

    /// The most splits for a row that visits at most `length` positions.
    static func mostSplits(of length: Int, _ shape: AttentionPlan.Shape) -> Int {
        shape.kind == .answer ? min(mostSplits, (tiles(of: length) + tilesPerSplit - 1) / tilesPerSplit) : 1
    }

    /// Tiles of the cache that hold `length` positions.
    private static func tiles(of length: Int) -> Int { (length + KeyValueTile.positions - 1) / KeyValueTile.positions }

    /// The rows of a tile.
    func tile(_ index: Int) -> Range<Int> {
        let start = rows.lowerBound + index * tileRows
        return start..<min(start + tileRows, rows.upperBound)
    }
}

extension AttentionPlan {
    /// The parameters of a plan, besides rows and positions.
    struct Shape {
        let heads: Int
        /// Query heads per key/value head.
        let group: Int
        let headDimension: Int
        /// Positions that a row attends to up to and including its own.
        let window: Int
        let kind: RowKind
        let isCausal: Bool
        /// Positions after its own that a row attends to at most; `nil` for all of its text.
        let reach: Int?
        /// The approximate number of queries in a prompt's tile.
        let tileQueries: Int

        /// - Parameters:
        ///   - rows: The rows of the pass.
        ///   - threads: The threads that share them.
        init(_ rule: AttentionRule, queryWidth: Int, _ kind: RowKind, rows: Int, threads: Int) {
            heads = rule.keyValueHeads
            group = queryWidth / rule.headDimension / rule.keyValueHeads
            headDimension = rule.headDimension
            window = rule.kernelWindow
            self.kind = kind
            isCausal = rule.isCausal
            reach = rule.reach
            let scored = KeyValueTile.scoredQueries
            // Keys and values are read and converted once per tile, so large tiles are better; but every thread needs
            // work, and with a window centred on each row, a row visits all that any row of its tile attends to.
            let targetQueries = heads * group * rows / (Self.tilesPerThread * threads)
            let isLocal = reach.map { $0 > 0 } ?? false
            tileQueries = isLocal ? scored : max(1, min(Self.maxTileMultiple, targetQueries / scored)) * scored
        }

        /// The largest tile as a multiple of the queries whose scores are held in memory at a time, so that its outputs
        /// stay in the CPU's cache.
        private static let maxTileMultiple = 6
        /// The number of tiles per thread to aim for: tiles take unequal time, so several balance the load.
        private static let tilesPerThread = 4

        /// The number of queries for `count` rows. Prompts are padded to the count from which kernels convert keys and
        /// values, so that the results of a few rows are the same as among many.
        func queries(ofRows count: Int) -> Int {
            kind == .answer ? count * group : max(count * group, KeyValueTile.directQueries + 1)
        }

        /// Floats of the state of one split for `count` rows.
        func stateSize(ofRows count: Int) -> Int {
            AttentionState.size(queries: count * group, headDimension: headDimension)
        }
    }

    /// The rows of a batch. `caches` and `positions` are those of every row.
    struct SequenceRows {
        let count: Int
        let caches: UnsafePointer<KeyValueView>
        let positions: UnsafePointer<Int>
        /// For rules that are not causal, the position after the last one that rows attend to; `nil` for the end of the
        /// rows.
        var end: Int?

        /// Finds the runs of consecutive rows. A causal run ends at a tile boundary of the cache, so that rows are
        /// divided in the same way whatever else is in the pass. Runs that are not causal contain all rows that they
        /// attend to.
        func forEachRun(_ shape: Shape, _ body: (AttentionRun) -> Void) {
            var start = 0
            while start < count {
                var end = start + 1
                while end < count, caches[end].blocks == caches[start].blocks, positions[end] == positions[end - 1] + 1,
                    !shape.isCausal || !positions[end].isMultiple(of: KeyValueTile.positions)
                {
                    end += 1
                }
                let last = positions[end - 1] + 1
                body(AttentionRun(rows: start..<end, end: shape.isCausal ? last : self.end ?? last, shape))
                start = end
            }
        }
    }

    /// The size of a plan; items, joins and partial results are those of one head.
    struct Counts {
        var items = 0
        var joins = 0
        /// Floats of partial results.
        var partials = 0
        /// Pairs of a row and a position.
        var pairs = 0
        /// The most rows of an item.
        var largestTile = 0

        /// The counts of some rows.
        init(_ rows: SequenceRows, _ shape: Shape) { rows.forEachRun(shape) { add($0, shape) } }

        /// An upper bound for `rows` rows at positions below `positions`, whichever sequences they belong to: either
        /// every row is a run of its own with the most splits, or all rows form one tile.
        init(atMost rows: Int, positions: Int, _ shape: Shape) {
            let visited = positions - AttentionRun.start(ofRowsBefore: positions, shape)
            let splits = AttentionRun.mostSplits(of: visited, shape)
            items = rows * splits
            joins = splits > 1 ? rows : 0
            partials = joins * splits * shape.stateSize(ofRows: 1)
            largestTile = AttentionRun.mostRowsPerTile(of: rows, shape)
        }

        private mutating func add(_ run: AttentionRun, _ shape: Shape) {
            items += run.tiles * run.splits
            if run.splits > 1 {
                joins += 1
                partials += run.splits * shape.stateSize(ofRows: run.rows.count)
            }
            pairs += run.rows.count * run.positions.count
            largestTile = max(largestTile, min(run.rows.count, run.tileRows))
        }
    }

    /// A plan with room for the counted items, joins and partial results.
    ///
    /// A function instead of an initialiser, which would retain the arena.
    static func room(for counts: Counts, _ shape: Shape, _ scratch: ScratchArena) -> AttentionPlan {
        let (items, joins) = (counts.items * shape.heads, counts.joins * shape.heads)
        return AttentionPlan(
            items: UnsafeMutableBufferPointer(start: scratch.array(of: Item.self, count: items), count: items),
            joins: UnsafeMutableBufferPointer(start: scratch.array(of: Join.self, count: joins), count: joins),
            partials: scratch.array(of: Float.self, count: counts.partials * shape.heads),
            work: 2 * counts.pairs * shape.heads * shape.group * shape.headDimension,
            largestTile: shape.queries(ofRows: counts.largestTile))
    }

    /// Divides the rows for which it has room.
    func divide(_ rows: SequenceRows, _ shape: Shape) {
        var builder = Builder(plan: self, shape: shape)
        for head in 0..<shape.heads {
            rows.forEachRun(shape) { builder.add($0, head: head, positions: rows.positions) }
        }
    }

    /// Lists items and joins.
    private struct Builder {
        let plan: AttentionPlan
        let shape: Shape
        var itemCount = 0
        var joinCount = 0
        var partialCount = 0

        mutating func add(_ run: AttentionRun, head: Int, positions: UnsafePointer<Int>) {
            if run.splits > 1 { return addSplits(of: run, head: head) }
            // The last tile visits the most positions, and the longest items should start first.
            for index in (0..<run.tiles).reversed() {
                let rows = run.tile(index)
                let visited = visited(by: rows, of: run, positions)
                add(Item(rows: rows, head: head, positions: visited, partial: nil, isFirst: true))
            }
        }

        /// The positions that the rows of a tile visit together, starting at a tile boundary of the cache.
        private func visited(
            by rows: Range<Int>, of run: AttentionRun, _ positions: UnsafePointer<Int>
        ) -> Range<Int> {
            guard let reach = shape.reach else { return run.positions }
            let end = min(positions[rows.upperBound - 1] + 1 + reach, run.positions.upperBound)
            guard !shape.isCausal else { return run.positions.lowerBound..<end }
            let first = max(0, positions[rows.lowerBound] - reach)
            return first / KeyValueTile.positions * KeyValueTile.positions..<end
        }

        private mutating func addSplits(of run: AttentionRun, head: Int) {
            let partials = AttentionState(
                base: plan.partials + partialCount, queries: run.rows.count * shape.group,
                headDimension: shape.headDimension)
            for split in 0..<run.splits {
                let start = run.positions.lowerBound + split * run.splitLength
                let end = min(start + run.splitLength, run.positions.upperBound)
                add(
                    Item(
                        rows: run.rows, head: head, positions: start..<end,
                        partial: partials.advanced(by: split), isFirst: split == 0))
            }
            plan.joins.initializeElement(
                at: joinCount, to: Join(rows: run.rows, head: head, partials: partials, splits: run.splits))
            joinCount += 1
            partialCount += run.splits * partials.size
        }

        private mutating func add(_ item: Item) {
            plan.items.initializeElement(at: itemCount, to: item)
            itemCount += 1
        }
    }
}

/// The intermediate state of the online softmax for some queries: outputs that are not yet divided by their sums, and the
/// running maximum and sum of each query.
struct AttentionState {
    let base: UnsafeMutablePointer<Float>
    let queries: Int
    let headDimension: Int

    /// Floats of a state: whole cache lines.
    static func size(queries: Int, headDimension: Int) -> Int { (queries * (headDimension + 2) + 15) / 16 * 16 }

    var size: Int { Self.size(queries: queries, headDimension: headDimension) }

    /// `[queries, headDimension]`
    var outputs: UnsafeMutablePointer<Float> { base }

    /// `[queries, 2]`: maximum and sum.
    var running: UnsafeMutablePointer<Float> { base + queries * headDimension }

    /// The state that lies `count` states after this one.
    func advanced(by count: Int) -> AttentionState {
        AttentionState(base: base + count * size, queries: queries, headDimension: headDimension)
    }

    /// Initialises the state before the first position.
    func begin() {
        outputs.update(repeating: 0, count: queries * headDimension)
        for query in 0..<queries {
            running[2 * query] = -.infinity
            running[2 * query + 1] = 0
        }
    }

    /// Initialises the state of a query with a score that has no value.
    func begin(_ query: Int, with score: Float) {
        running[2 * query] = score
        running[2 * query + 1] = 1
    }
}
