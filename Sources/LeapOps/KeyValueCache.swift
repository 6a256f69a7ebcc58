#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keys and values of a run of positions of one layer, in half precision: `[heads, positions, headDimension]` each, so
/// that one head's rows lie together.
final class KeyValueBlock: @unchecked Sendable {
    // `@unchecked`: written only by the pass that owns the sequence, through its cache.

    /// Positions per block.
    static let positions = 128

    let keys: UnsafeMutablePointer<UInt16>
    let values: UnsafeMutablePointer<UInt16>

    static func byteCount(heads: Int, headDimension: Int) -> Int {
        2 * heads * positions * headDimension * MemoryLayout<UInt16>.stride
    }

    /// Takes memory; `nil` where the system has none.
    init?(heads: Int, headDimension: Int) {
        let elements = heads * Self.positions * headDimension
        var memory: UnsafeMutableRawPointer?
        let size = Self.byteCount(heads: heads, headDimension: headDimension)
        guard posix_memalign(&memory, 64, size) == 0, let memory else { return nil }
        keys = memory.bindMemory(to: UInt16.self, capacity: 2 * elements)
        values = keys + elements
    }

    /// A copy of the block.
    convenience init?(copying other: KeyValueBlock, heads: Int, headDimension: Int) {
        self.init(heads: heads, headDimension: headDimension)
        memcpy(keys, other.keys, Self.byteCount(heads: heads, headDimension: headDimension))
    }

    deinit { free(keys) }
}

/// The keys and values of one layer of one sequence. Grows by blocks as positions come, so that a long context costs
/// memory only when it is used.
///
/// A value: a copy shares all blocks with the original until one of the two writes into the last, unfinished one.
public struct KeyValueCache: Sendable {
    /// Key/value heads.
    public let heads: Int
    /// Elements of a head.
    public let headDimension: Int

    private(set) var blocks: [KeyValueBlock] = []

    /// An empty cache.
    public init(heads: Int, headDimension: Int) {
        self.heads = heads
        self.headDimension = headDimension
    }

    /// Bytes that a number of positions takes.
    public static func byteCount(positions: Int, heads: Int, headDimension: Int) -> Int {
        let blocks = (positions + KeyValueBlock.positions - 1) / KeyValueBlock.positions
        return blocks * KeyValueBlock.byteCount(heads: heads, headDimension: headDimension)
    }

    /// Makes room for positions `range`, which will be written; `false` where there is no memory.
    public mutating func reserve(_ range: Range<Int>) -> Bool {
        guard !range.isEmpty else { return true }
        // A block that somebody else holds too is copied before it is written.
        let firstWritten = range.lowerBound / KeyValueBlock.positions
        if firstWritten < blocks.count, !isKnownUniquelyReferenced(&blocks[firstWritten]) {
            guard let copy = KeyValueBlock(copying: blocks[firstWritten], heads: heads, headDimension: headDimension)
            else { return false }
            blocks[firstWritten] = copy
        }
        while blocks.count * KeyValueBlock.positions < range.upperBound {
            guard let block = KeyValueBlock(heads: heads, headDimension: headDimension) else { return false }
            blocks.append(block)
        }
        return true
    }

    /// Forgets all positions from `count` on and returns whole unused blocks.
    public mutating func truncate(to count: Int) {
        let needed = (count + KeyValueBlock.positions - 1) / KeyValueBlock.positions
        if needed < blocks.count { blocks.removeSubrange(needed...) }
    }
}

/// Where the blocks of a cache lie; borrowed from a cache for one pass, in which the cache must not grow.
public struct KeyValueView {
    /// Keys and values of each block.
    let blocks: UnsafePointer<(keys: UnsafeMutablePointer<UInt16>, values: UnsafeMutablePointer<UInt16>)>
    let heads: Int
    let headDimension: Int
}

extension Compute {
    /// Lists a cache's blocks in scratch memory, so that the pass counts no references.
    public func view(_ cache: borrowing KeyValueCache) -> KeyValueView {
        typealias Block = (keys: UnsafeMutablePointer<UInt16>, values: UnsafeMutablePointer<UInt16>)
        let table = scratch.array(of: Block.self, count: cache.blocks.count)
        for (index, block) in cache.blocks.enumerated() {
            (table + index).initialize(to: (block.keys, block.values))
        }
        return KeyValueView(blocks: table, heads: cache.heads, headDimension: cache.headDimension)
    }
}
