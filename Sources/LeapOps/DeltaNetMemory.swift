import LeapBlocks

/// The sizes of one layer with the gated delta rule.
public struct DeltaNetShape: Sendable, Hashable {
    /// Heads of queries and keys.
    public let keyHeads: Int
    /// Heads of values, a multiple of ``keyHeads``: head h has the queries and keys of head h mod ``keyHeads``.
    public let valueHeads: Int
    /// Elements of a query or a key.
    public let keyDimension: Int
    /// Elements of a value.
    public let valueDimension: Int
    /// Taps of the convolution in front.
    public let taps: Int

    /// Sizes that the caller has checked: none is less than 1.
    public init(keyHeads: Int, valueHeads: Int, keyDimension: Int, valueDimension: Int, taps: Int) {
        self.keyHeads = keyHeads
        self.valueHeads = valueHeads
        self.keyDimension = keyDimension
        self.valueDimension = valueDimension
        self.taps = taps
    }

    /// Elements of all queries of a row, and of all its keys.
    public var keyWidth: Int { keyHeads * keyDimension }
    /// Elements of all values of a row.
    public var valueWidth: Int { valueHeads * valueDimension }
    /// Elements of a row's queries, keys and values.
    public var channels: Int { 2 * keyWidth + valueWidth }

    /// Floats of a block of a head's matrix, see ``LeapBlocks/DeltaRule``.
    var blockCount: Int { keyDimension * DeltaRule.columns }
    /// Floats of a head's matrix.
    var headCount: Int { DeltaRule.blocks(valueDimension: valueDimension) * blockCount }
    /// Floats of the convolution's inputs before.
    var historyCount: Int { (taps - 1) * channels }
    /// Bytes of all that a sequence's layer remembers.
    public var byteCount: Int { (historyCount + valueHeads * headCount) * MemoryLayout<Float>.stride }
}

/// What a layer with the gated delta rule remembers of one sequence: the last inputs of its convolution,
/// `[taps − 1, channels]`, and the matrix of every head of values. As large as it is however long the sequence.
public final class DeltaNetMemory: @unchecked Sendable {
    // `@unchecked`: written only by the pass that owns the sequence, or by whoever makes it.

    /// The sizes.
    public let shape: DeltaNetShape
    let base: UnsafeMutablePointer<Float>

    /// What there is before the first token: zeros. `nil` where the system has no memory.
    public init?(_ shape: DeltaNetShape) {
        guard let memory = SystemPages.allocate(byteCount: shape.byteCount) else { return nil }
        self.shape = shape
        base = memory.bindMemory(to: Float.self, capacity: shape.byteCount / MemoryLayout<Float>.stride)
    }

    deinit { SystemPages.free(base, byteCount: shape.byteCount) }

    /// A copy; `nil` where the system has no memory.
    public func copy() -> DeltaNetMemory? { DeltaNetMemory(shape, copying: UnsafeRawBufferPointer(bytes)) }

    /// What some bytes describe, as many as ``bytes`` has.
    public convenience init?(_ shape: DeltaNetShape, copying bytes: UnsafeRawBufferPointer) {
        guard bytes.count == shape.byteCount else { return nil }
        self.init(shape)
        self.bytes.copyMemory(from: bytes)
    }

    /// All of it.
    public var bytes: UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base, count: shape.byteCount)
    }

    /// The matrix of a head of values.
    func matrix(of head: Int) -> UnsafeMutablePointer<Float> { base + shape.historyCount + head * shape.headCount }

    /// Takes some channels of the convolution's inputs from another memory.
    func copyHistory(_ channels: Range<Int>, from other: DeltaNetMemory) {
        for tap in 0..<shape.taps - 1 {
            let first = tap * shape.channels + channels.lowerBound
            (base + first).update(from: other.base + first, count: channels.count)
        }
    }
}
