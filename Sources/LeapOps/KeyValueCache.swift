public import LeapBlocks

/// The keys and values of one layer of one sequence. It grows block by block as positions are added, so that a long
/// context takes memory only once it is used.
///
/// A value type: a copy shares all blocks with the original until one of the two writes to them.
public struct KeyValueCache: Sendable {
    let shape: KeyValueShape

    private var storage = KeyValueBlocks()

    /// An empty cache.
    ///
    /// - Parameter headDimension: A multiple of both types' ``LeapBlocks/KeyValueType/elementsPerBlock``.
    public init(heads: Int, headDimension: Int, types: KeyValueTypes) {
        shape = KeyValueShape(heads: heads, headDimension: headDimension, types: types)
    }

    /// The addresses of the keys and values; valid as long as the cache exists and does not change.
    public var view: KeyValueView { KeyValueView(blocks: storage.addresses, shape: shape) }

    /// Bytes of the blocks that are held, including shared ones.
    var heldBytes: Int { storage.blocks.count { $0 != nil } * shape.blockBytes }

    /// Bytes that `positions` positions take.
    public static func byteCount(positions: Int, heads: Int, headDimension: Int, types: KeyValueTypes) -> Int {
        let blocks = (positions + KeyValueBlock.positions - 1) / KeyValueBlock.positions
        return blocks * KeyValueShape(heads: heads, headDimension: headDimension, types: types).blockBytes
    }

    /// Bytes that `positions` positions take in this cache.
    public func byteCount(positions: Int) -> Int {
        (positions + KeyValueBlock.positions - 1) / KeyValueBlock.positions * shape.blockBytes
    }

    /// Makes room for the positions in `range`, which will be written; `false` if there is no memory.
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

    /// Drops all positions from `count` on and frees blocks that become unused.
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

    /// Gives the cache a block list of its own; the blocks stay shared.
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = KeyValueBlocks(copying: storage) }
    }
}

/// Keys and values of consecutive blocks of positions of one layer, shared with the cache that they come from. They
/// never change: a cache copies shared blocks before it writes to them.
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
    /// The blocks of some positions that the cache holds, none of which have been dropped.
    ///
    /// - Parameter positions: Starts at a block boundary; the last block's contents after them are ignored.
    public func run(of positions: Range<Int>) -> KeyValueRun {
        let first = positions.lowerBound / KeyValueBlock.positions
        let end = (positions.upperBound + KeyValueBlock.positions - 1) / KeyValueBlock.positions
        return KeyValueRun(blocks: storage.blocks[first..<end].compactMap(\.self), shape: shape)
    }

    /// Makes blocks from `bytes`, the keys and values that ``KeyValueRun/forEachBlock(_:)`` provided.
    ///
    /// - Parameter bytes: A whole number of blocks.
    /// - Returns: `nil` if there is no memory.
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

    /// Appends blocks of a cache of the same shape and types; the cache must hold a whole number of blocks.
    public mutating func append(_ run: KeyValueRun) {
        makeUnique()
        for block in run.blocks { storage.append(block) }
    }
}

/// The addresses of a cache's blocks; borrowed from a cache for one pass, during which the cache must not change.
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
    ///   - caches: For every row, the cache of its sequence. All have the same shape.
    ///   - positions: For every row, its position in its sequence.
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
