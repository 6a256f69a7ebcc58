public import LeapBlocks

/// The keys and values of one layer of one sequence. Grows by blocks as positions come, so that a long context costs
/// memory only when it is used.
///
/// A value: a copy shares all blocks with the original until one of the two writes into them.
public struct KeyValueCache: Sendable {
    let shape: KeyValueShape

    private var storage = KeyValueBlocks()

    /// An empty cache.
    ///
    /// - Parameter headDimension: A multiple of both types' ``LeapBlocks/KeyValueType/elementsPerBlock``.
    public init(heads: Int, headDimension: Int, types: KeyValueTypes) {
        shape = KeyValueShape(heads: heads, headDimension: headDimension, types: types)
    }

    /// Where the keys and values lie; valid as long as the cache is there and does not change.
    public var view: KeyValueView { KeyValueView(blocks: storage.addresses, shape: shape) }

    /// Bytes of the blocks that are held, those that are shared included.
    var heldBytes: Int { storage.blocks.count { $0 != nil } * shape.blockBytes }

    /// Bytes that a number of positions takes.
    public static func byteCount(positions: Int, heads: Int, headDimension: Int, types: KeyValueTypes) -> Int {
        let blocks = (positions + KeyValueBlock.positions - 1) / KeyValueBlock.positions
        return blocks * KeyValueShape(heads: heads, headDimension: headDimension, types: types).blockBytes
    }

    /// Bytes that a number of positions takes in this cache.
    public func byteCount(positions: Int) -> Int {
        (positions + KeyValueBlock.positions - 1) / KeyValueBlock.positions * shape.blockBytes
    }

    /// Makes room for positions `range`, which will be written; `false` where there is no memory.
    public mutating func reserve(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        makeUnique()
        // Copy-on-write: shared blocks are copied first. After a rollback, blocks after the first may exist already.
        let firstWritten = range.lowerBound / KeyValueBlock.positions
        let lastWritten = (range.upperBound - 1) / KeyValueBlock.positions
        for index in firstWritten..<max(firstWritten, min(storage.blocks.count, lastWritten + 1)) {
            guard storage.makeUnique(index, shape) else { return false }
        }
        while storage.blocks.count * KeyValueBlock.positions < range.upperBound {
            guard let block = KeyValueBlock(shape) else { return false }
            storage.append(block)
        }
        return true
    }

    /// Forgets all positions from `count` on and returns whole unused blocks.
    public mutating func truncate(to count: Int) {
        makeUnique()
        storage.truncate(to: (count + KeyValueBlock.positions - 1) / KeyValueBlock.positions)
    }

    /// Frees the blocks before a position, which no row will visit any more. The indices of all others do not change.
    public mutating func forget(before position: Int) {
        guard position >= KeyValueBlock.positions else { return }
        makeUnique()
        storage.forget(first: position / KeyValueBlock.positions)
    }

    /// Gives the cache a list of its own; the blocks stay shared.
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = KeyValueBlocks(copying: storage) }
    }
}

/// Keys and values of blocks of positions of one layer, shared with the cache that they come from. They never change: a
/// cache copies a block that is not its own before it writes into it.
public struct KeyValueRun: Sendable {
    let blocks: [KeyValueBlock]
    let shape: KeyValueShape

    /// Bytes of the blocks.
    public var byteCount: Int { blocks.count * shape.blockBytes }

    /// Calls `body` with the bytes of every block.
    public func forEachBlock(_ body: (UnsafeRawBufferPointer) -> Void) {
        for block in blocks { body(UnsafeRawBufferPointer(start: block.base, count: shape.blockBytes)) }
    }
}

extension KeyValueCache {
    /// The blocks of some positions that the cache holds, none of which are forgotten.
    ///
    /// - Parameter positions: Begins between blocks; what the last block holds after them counts for nothing.
    public func run(of positions: Range<Int>) -> KeyValueRun {
        let first = positions.lowerBound / KeyValueBlock.positions
        let end = (positions.upperBound + KeyValueBlock.positions - 1) / KeyValueBlock.positions
        return KeyValueRun(blocks: storage.blocks[first..<end].compactMap(\.self), shape: shape)
    }

    /// Blocks for as many positions as `bytes` holds keys and values, which ``KeyValueRun/forEachBlock(_:)`` gave.
    ///
    /// - Parameter bytes: A whole number of blocks.
    /// - Returns: `nil` where there is no memory.
    public func makeRun(copying bytes: UnsafeRawBufferPointer) -> KeyValueRun? {
        var blocks: [KeyValueBlock] = []
        for start in stride(from: 0, to: bytes.count, by: shape.blockBytes) {
            guard let block = KeyValueBlock(shape) else { return nil }
            UnsafeMutableRawBufferPointer(start: block.base, count: shape.blockBytes)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + shape.blockBytes]))
            blocks.append(block)
        }
        return KeyValueRun(blocks: blocks, shape: shape)
    }

    /// Appends blocks of a cache of the same shape and types after a whole number of blocks.
    public mutating func append(_ run: KeyValueRun) {
        makeUnique()
        for block in run.blocks { storage.append(block) }
    }
}

/// Where the blocks of a cache lie; borrowed from a cache for one pass, in which the cache must not change.
public struct KeyValueView {
    let blocks: UnsafePointer<UnsafeMutableRawPointer>
    let shape: KeyValueShape

    init(blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>, shape: KeyValueShape) {
        self.blocks = UnsafePointer(blocks)
        self.shape = shape
    }

    /// The keys and values of a head in the block that holds a position.
    func head(
        _ head: Int, at position: Int
    ) -> (keys: UnsafeMutableRawPointer, values: UnsafeMutableRawPointer) {
        let keys = blocks[position / KeyValueBlock.positions] + head * shape.headBytes
        return (keys, keys + shape.keyBytes)
    }
}

extension Compute {
    /// Writes every row's keys and values at the row's position in its cache, which has room for it.
    ///
    /// - Parameters:
    ///   - keys: `[n, heads · headDimension]`, rotated.
    ///   - values: `[n, heads · headDimension]`.
    ///   - caches: For every row the cache of its sequence. All have one shape.
    ///   - positions: For every row its position in its sequence.
    public func store(
        keys: Rows, values: Rows, in caches: UnsafePointer<KeyValueView>, at positions: UnsafePointer<Int>
    ) {
        guard keys.count > 0 else { return }
        let work = StoringWork(
            store: kernels.floats.storeKeyValue, keys: keys, values: values, caches: caches, positions: positions)
        parallel(keys.count, grain: 8, work)
    }
}

private struct StoringWork: ParallelWork {
    let store: FloatKernels.StoreKeyValue
    let keys: Rows
    let values: Rows
    let caches: UnsafePointer<KeyValueView>
    let positions: UnsafePointer<Int>

    func run(_ range: Range<Int>, worker: Int) {
        let shape = caches[range.lowerBound].shape
        let types = (keys: shape.types.keys.rawValue, values: shape.types.values.rawValue)
        for head in 0..<shape.heads {
            let offset = head * shape.headDimension
            // The inner loop goes over rows, because neighbouring positions share cache lines of keys.
            for row in range {
                let target = caches[row].head(head, at: positions[row])
                store(
                    keys[row] + offset, values[row] + offset, shape.headDimension,
                    positions[row] % KeyValueBlock.positions, target.keys, types.keys, target.values, types.values)
            }
        }
    }
}
