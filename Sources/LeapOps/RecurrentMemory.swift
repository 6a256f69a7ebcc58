import LeapBlocks

/// The update rule of a recurrent layer, whose memory is a matrix per head.
public enum RecurrentRule: Sendable, Hashable {
    /// The gated delta rule, which corrects the value stored for a key: `S ← α · S + k ⊗ β · (v − α · Sᵀ · k)`.
    case delta
    /// A state space, which adds: `S ← α · S + k ⊗ β · v`.
    case stateSpace
}

/// The sizes of one recurrent layer, whose memory is a matrix per value head.
public struct RecurrentShape: Sendable, Hashable {
    /// The layer's update rule.
    public let rule: RecurrentRule
    /// Heads of queries and keys; a state space calls them groups.
    public let keyHeads: Int
    /// Heads of values, a multiple of ``keyHeads``. With the delta rule head h has the queries and keys of head
    /// h mod ``keyHeads``, in a state space those of head h / (``valueHeads`` / ``keyHeads``).
    public let valueHeads: Int
    /// Elements of a query or a key.
    public let keyDimension: Int
    /// Elements of a value.
    public let valueDimension: Int
    /// Taps of the preceding convolution.
    public let taps: Int

    /// The caller has checked that no size is less than 1.
    public init(
        rule: RecurrentRule, keyHeads: Int, valueHeads: Int, keyDimension: Int, valueDimension: Int, taps: Int
    ) {
        self.rule = rule
        self.keyHeads = keyHeads
        self.valueHeads = valueHeads
        self.keyDimension = keyDimension
        self.valueDimension = valueDimension
        self.taps = taps
    }

    /// Elements of all queries of a row, and also of all its keys.
    public var keyWidth: Int { keyHeads * keyDimension }
    /// Elements of all values of a row.
    public var valueWidth: Int { valueHeads * valueDimension }
    /// Elements of a row's queries, keys and values.
    public var channels: Int { 2 * keyWidth + valueWidth }

    /// Whether every head has a learning rate β of its own. In a state space, the time step determines both decay and
    /// learning rate.
    var hasRates: Bool { rule == .delta }
    /// The width of a row's inputs: the channels of the convolution, and one or two gates per value head.
    var inputWidth: Int { channels + (hasRates ? 2 : 1) * valueHeads }

    /// Floats of a block of a head's matrix, see ``LeapBlocks/DeltaRule``.
    var blockCount: Int { keyDimension * DeltaRule.columns }
    /// Floats of a head's matrix.
    var headCount: Int { DeltaRule.blocks(valueDimension: valueDimension) * blockCount }
    /// Floats of the convolution's previous inputs.
    var historyCount: Int { (taps - 1) * channels }
    /// Bytes of the memory of a sequence's layer.
    public var byteCount: Int { (historyCount + valueHeads * headCount) * MemoryLayout<Float>.stride }
}

/// The inputs of a recurrent layer.
public struct RecurrentInputs {
    /// `[n, channels]`: queries, keys and values before the convolution, in the rule's order.
    public let mixed: Rows
    /// `[n, valueHeads]`: determines the decay.
    public let alpha: Rows
    /// `[n, valueHeads]`: determines the learning rate; `nil` in a state space, where ``alpha`` determines it too.
    public let beta: Rows?

    /// Groups inputs, all with the same number of rows.
    public init(mixed: Rows, alpha: Rows, beta: Rows? = nil) {
        (self.mixed, self.alpha, self.beta) = (mixed, alpha, beta)
    }

    /// The number of rows.
    public var count: Int { mixed.count }

    /// Some of the rows.
    public subscript(range: Range<Int>) -> RecurrentInputs {
        RecurrentInputs(mixed: mixed[range], alpha: alpha[range], beta: beta.map { $0[range] })
    }
}

/// The memory of a recurrent layer in one sequence: the last inputs of its convolution, `[taps − 1, channels]`, and the
/// matrix of every value head. Its size does not depend on the length of the sequence.
public final class RecurrentMemory: @unchecked Sendable {
    // `@unchecked`: written only by the pass that owns the sequence, or by whoever makes it.

    /// The sizes.
    public let shape: RecurrentShape
    let base: UnsafeMutablePointer<Float>

    /// The memory before the first token: zeros. `nil` if the system has no memory.
    public init?(_ shape: RecurrentShape) {
        guard let memory = SystemPages.allocate(byteCount: shape.byteCount) else { return nil }
        self.shape = shape
        base = memory.bindMemory(to: Float.self, capacity: shape.byteCount / MemoryLayout<Float>.stride)
    }

    deinit { SystemPages.free(base, byteCount: shape.byteCount) }

    /// A copy; `nil` if the system has no memory.
    public func copy() -> RecurrentMemory? { RecurrentMemory(shape, copying: UnsafeRawBufferPointer(bytes)) }

    /// A memory with the given contents, as many bytes as ``bytes`` has.
    public convenience init?(_ shape: RecurrentShape, copying bytes: UnsafeRawBufferPointer) {
        guard bytes.count == shape.byteCount else { return nil }
        self.init(shape)
        self.bytes.copyMemory(from: bytes)
    }

    /// The entire contents.
    public var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: shape.byteCount)
    }

    /// The matrix of a value head.
    func matrix(of head: Int) -> UnsafeMutablePointer<Float> { base + shape.historyCount + head * shape.headCount }

    /// Copies some channels of the convolution's previous inputs from another memory.
    func copyHistory(_ channels: Range<Int>, from other: RecurrentMemory) {
        for tap in 0..<shape.taps - 1 {
            let first = tap * shape.channels + channels.lowerBound
            (base + first).update(from: other.base + first, count: channels.count)
        }
    }
}
