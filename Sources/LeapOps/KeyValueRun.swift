/// Keys and values of whole blocks of positions of one layer, shared with the cache that they come from. They never
/// change: a cache copies a block that is not its own before it writes into it.
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
    /// The blocks of some positions that the cache holds.
    ///
    /// - Parameter positions: Begins and ends between blocks.
    public func run(of positions: Range<Int>) -> KeyValueRun {
        let first = positions.lowerBound / KeyValueBlock.positions
        let end = positions.upperBound / KeyValueBlock.positions
        return KeyValueRun(blocks: Array(storage.blocks[first..<end]), shape: shape)
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
}
