/// The blocks of a cache and their addresses, a list that passes read without reference counting. The first blocks may
/// be dropped; the others keep their indices.
final class KeyValueBlocks: @unchecked Sendable {
    // `@unchecked`: changed only by the one cache that holds it.

    private(set) var blocks: [KeyValueBlock?]
    private(set) var addresses: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private var capacity: Int

    init() {
        (blocks, capacity) = ([], 8)
        addresses = .allocate(capacity: capacity)
    }

    init(copying other: KeyValueBlocks) {
        (blocks, capacity) = (other.blocks, other.capacity)
        addresses = .allocate(capacity: capacity)
        addresses.initialize(from: other.addresses, count: blocks.count)
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

    /// Frees the first blocks, which no row visits any more.
    func forget(first count: Int) {
        var index = min(count, blocks.count) - 1
        while index >= 0, blocks[index] != nil {
            blocks[index] = nil
            index -= 1
        }
    }

    /// Replaces a block that is shared with another cache by a copy; `false` if there is no memory.
    func makeUnique(_ index: Int, _ shape: KeyValueShape) -> Bool {
        if isKnownUniquelyReferenced(&blocks[index]) { return true }
        guard let block = blocks[index], let copy = KeyValueBlock(copying: block, shape) else { return false }
        blocks[index] = copy
        addresses[index] = copy.base
        return true
    }
}
