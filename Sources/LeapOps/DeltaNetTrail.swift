/// What a layer with the gated delta rule read in one pass of few rows, so that the last of them can be taken back: by going
/// through the others anew from what was remembered before the pass.
public struct DeltaNetTrail {
    /// Rows that it has room for.
    public let capacity: Int
    private let shape: DeltaNetShape
    /// `[capacity, channels + 2 · valueHeads]`, by kinds of inputs.
    private let memory: TrailMemory
    private var count = 0

    /// A trail of up to `rows` rows.
    public init(_ shape: DeltaNetShape, rows: Int) {
        (self.shape, capacity) = (shape, rows)
        memory = TrailMemory(count: rows * (shape.channels + 2 * shape.valueHeads))
    }

    /// Notes what a pass is about to read. Of more rows than the trail has room for it notes nothing.
    ///
    /// - Parameters:
    ///   - inputs: The rows.
    ///   - isFirst: Whether they are the first of the pass.
    public mutating func record(_ inputs: DeltaNetInputs, isFirst: Bool) {
        let first = isFirst ? 0 : count
        count = first + inputs.count
        guard count <= capacity else { return }
        let kept = all
        for (source, target) in [(inputs.mixed, kept.mixed), (inputs.alpha, kept.alpha), (inputs.beta, kept.beta)] {
            (target.base + first * target.width).update(from: source.base, count: source.count * source.width)
        }
    }

    /// The first rows.
    public func inputs(_ rows: Int) -> DeltaNetInputs {
        precondition((0...capacity).contains(rows), "\(rows) rows of a pass cannot be repeated, but only \(capacity)")
        return all[0..<rows]
    }

    /// A trail of the same rows that notes others by itself.
    public func copy() -> DeltaNetTrail {
        var copy = DeltaNetTrail(shape, rows: capacity)
        copy.count = count
        copy.memory.base.update(from: memory.base, count: memory.count)
        return copy
    }

    private var all: DeltaNetInputs {
        let (channels, heads) = (shape.channels, shape.valueHeads)
        let mixed = Rows(base: memory.base, count: capacity, width: channels)
        let alpha = Rows(base: mixed.base + capacity * channels, count: capacity, width: heads)
        let beta = Rows(base: alpha.base + capacity * heads, count: capacity, width: heads)
        return DeltaNetInputs(mixed: mixed, alpha: alpha, beta: beta)
    }
}

/// Floats that lie where they lie.
private final class TrailMemory {
    let base: UnsafeMutablePointer<Float>
    let count: Int

    init(count: Int) {
        self.count = count
        base = .allocate(capacity: count)
        base.initialize(repeating: 0, count: count)
    }

    deinit { base.deallocate() }
}
