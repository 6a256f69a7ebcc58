/// The blocks of a cache, and where they lie: a list of addresses that passes read without counting references.
final class KeyValueBlocks: @unchecked Sendable {
    // `@unchecked`: changed only by the one cache that holds it.

    private(set) var blocks: [KeyValueBlock]
    private(set) var addresses: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var capacity: Int

    init(_ blocks: [KeyValueBlock] = []) {
        self.blocks = blocks
        capacity = max(8, blocks.count)
        addresses = .allocate(capacity: capacity)
        for (index, block) in blocks.enumerated() { (addresses + index).initialize(to: block.base) }
    }

    deinit { addresses.deallocate() }

    func append(_ block: KeyValueBlock) {
        if blocks.count == capacity {
            let more = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: 2 * capacity)
            more.moveInitialize(from: addresses, count: capacity)
            addresses.deallocate()
            (addresses, capacity) = (more, 2 * capacity)
        }
        (addresses + blocks.count).initialize(to: block.base)
        blocks.append(block)
    }

    func truncate(to count: Int) {
        if count < blocks.count { blocks.removeSubrange(count...) }
    }

    /// Puts a copy in the place of a block that another cache holds too; `false` where there is no memory.
    func makeUnique(_ index: Int, _ shape: KeyValueShape) -> Bool {
        if isKnownUniquelyReferenced(&blocks[index]) { return true }
        guard let copy = KeyValueBlock(copying: blocks[index], shape) else { return false }
        blocks[index] = copy
        addresses[index] = copy.base
        return true
    }
}
