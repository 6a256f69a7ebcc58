/// The inputs of a recurrent layer in one pass of a few rows, so that the last of them can be rolled back by reapplying
/// the others to the memory before the pass.
public struct RecurrentTrail {
    /// The most rows that it can record.
    public let capacity: Int
    private let shape: RecurrentShape
    /// `[capacity, inputWidth]`, grouped by kind of input.
    private let memory: TrailMemory
    private var count = 0

    /// A trail of up to `rows` rows.
    public init(_ shape: RecurrentShape, rows: Int) {
        (self.shape, capacity) = (shape, rows)
        memory = TrailMemory(count: rows * shape.inputWidth)
    }

    /// Records the inputs of a pass. Records nothing if the pass has more rows than the trail has room for.
    ///
    /// - Parameters:
    ///   - inputs: The rows.
    ///   - isFirst: Whether they are the first of the pass.
    public mutating func record(_ inputs: RecurrentInputs, isFirst: Bool) {
        let first = isFirst ? 0 : count
        count = first + inputs.count
        guard count <= capacity else { return }
        let kept = all
        for case (let source?, let target?) in [
            (inputs.mixed, kept.mixed), (inputs.alpha, kept.alpha), (inputs.beta, kept.beta),
        ] {
            (target.base + first * target.width).update(from: source.base, count: source.count * source.width)
        }
    }

    /// The first rows.
    public func inputs(_ rows: Int) -> RecurrentInputs {
        precondition(
            (0...capacity).contains(rows), "cannot repeat \(rows) rows of a pass: at most \(capacity) are supported")
        return all[0..<rows]
    }

    /// An independent copy with the same rows.
    public func copy() -> RecurrentTrail {
        var copy = RecurrentTrail(shape, rows: capacity)
        copy.count = count
        copy.memory.base.update(from: memory.base, count: memory.count)
        return copy
    }

    private var all: RecurrentInputs {
        let (channels, heads) = (shape.channels, shape.valueHeads)
        let mixed = Rows(base: memory.base, count: capacity, width: channels)
        let alpha = Rows(base: mixed.base + capacity * channels, count: capacity, width: heads)
        let beta =
            shape.hasRates ? Rows(base: alpha.base + capacity * heads, count: capacity, width: heads) : nil
        return RecurrentInputs(mixed: mixed, alpha: alpha, beta: beta)
    }
}

/// Floats at a fixed address.
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
