import LeapBlocks

/// What attention of a batch takes of scratch memory.
public struct AttentionSize {
    private let shape: AttentionPlan.Shape
    private var counts = AttentionPlan.Counts()

    /// A batch without rows.
    public init(heads: Int, group: Int, headDimension: Int, _ kind: RowKind) {
        shape = AttentionPlan.Shape(heads: heads, group: group, headDimension: headDimension, kind: kind)
    }

    /// Counts rows that follow each other in one sequence, the last of which sees `length` positions.
    public mutating func add(rows: Int, length: Int, to size: inout ScratchSize) {
        var start = length - rows
        while start < length {
            let end = min(length, (start / KeyValueTile.positions + 1) * KeyValueTile.positions)
            add(AttentionRun(rows: start..<end, length: end, shape.kind, group: shape.group), to: &size)
            start = end
        }
    }

    private mutating func add(_ run: AttentionRun, to size: inout ScratchSize) {
        counts.add(run)
        guard run.splits > 1 else { return }
        let state = AttentionState.size(queries: run.rows.count * shape.group, headDimension: shape.headDimension)
        for _ in 0..<shape.heads { size.rows(run.splits, width: state) }
    }

    /// Counts the rest of what ``Compute/attention(_:over:positions:into:)`` takes for all rows.
    public func addPlan(threads: Int, to size: inout ScratchSize) {
        size.array(of: AttentionPlan.Item.self, count: counts.items * shape.heads)
        size.array(of: AttentionPlan.Join.self, count: counts.joins * shape.heads)
        let queries = shape.queries(ofRows: counts.largestTile)
        size.rows(threads, width: AttentionWork.scratchCount(queries: queries, shape))
    }
}
