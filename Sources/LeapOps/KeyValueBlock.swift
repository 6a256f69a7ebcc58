import LeapBlocks

/// The shape of one layer's keys and values.
struct KeyValueShape: Hashable {
    let heads: Int
    let headDimension: Int
    let types: KeyValueTypes
    /// Bytes of one head's keys in a block.
    let keyBytes: Int
    /// Bytes of one head's keys and values in a block.
    let headBytes: Int

    /// - Parameter headDimension: A multiple of both types' block sizes.
    init(heads: Int, headDimension: Int, types: KeyValueTypes) {
        self.heads = heads
        self.headDimension = headDimension
        self.types = types
        let elements = KeyValueBlock.positions * headDimension
        keyBytes = types.keys.byteCount(elements: elements)
        headBytes = keyBytes + types.values.byteCount(elements: elements)
    }

    /// Bytes of a block, keys and values.
    var blockBytes: Int { heads * headBytes }
}

/// Keys and values of consecutive positions of one layer: for every head its keys, then its values, in the layout of
/// ``KeyValueTile``, so that attention reads one contiguous piece of memory per head.
///
/// A block's memory comes from ``SystemPages``.
final class KeyValueBlock: @unchecked Sendable {
    // `@unchecked`: written only by the pass that owns the sequence, through its cache.

    /// Positions per block.
    static var positions: Int { KeyValueTile.positions }

    let base: UnsafeMutableRawPointer
    private let byteCount: Int

    /// Allocates memory; `nil` if the system has none.
    init?(_ shape: KeyValueShape) {
        byteCount = shape.blockBytes
        guard let memory = SystemPages.allocate(byteCount: byteCount) else { return nil }
        base = memory
    }

    /// A copy of the block.
    convenience init?(copying other: KeyValueBlock, _ shape: KeyValueShape) {
        self.init(shape)
        base.copyMemory(from: other.base, byteCount: byteCount)
    }

    deinit { SystemPages.free(base, byteCount: byteCount) }
}
