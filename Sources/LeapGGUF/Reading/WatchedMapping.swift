import Synchronization

/// A mapping whose pages may disappear, because the file is truncated, or the disk or the network fails. ``BusErrors``
/// handles reads of such pages.
///
/// A node of a list that a signal handler walks: it consists of atomic numbers only, and is never freed, but reused for
/// other mappings.
struct WatchedMapping: ~Copyable {
    /// The first address.
    private let start = Atomic<UInt>(0)
    /// The address after the last; 0 while the node is free, which makes the stretch empty.
    private let end = Atomic<UInt>(0)
    private let hasLostPages = Atomic<Bool>(false)
    /// The address of the node that was made before; 0 for the first.
    let next: UInt

    private init(next: UInt) { self.next = next }

    /// Whether pages of the mapping were lost.
    var isLost: Bool { hasLostPages.load(ordering: .acquiring) }

    /// Records that pages of the mapping were lost.
    func markAsLost() { hasLostPages.store(true, ordering: .releasing) }

    /// The mapping, if it has the address.
    func stretch(with address: UInt) -> (start: UInt, count: UInt)? {
        let end = end.load(ordering: .acquiring)
        let start = start.load(ordering: .acquiring)
        // The node may have been reused for another mapping between the two loads; then its end has changed.
        guard address >= start, address < end, self.end.load(ordering: .acquiring) == end else { return nil }
        return (start, end &- start)
    }

    private func begin(_ bytes: UnsafeRawBufferPointer) {
        let address = UInt(bitPattern: bytes.baseAddress)
        hasLostPages.store(false, ordering: .releasing)
        start.store(address, ordering: .releasing)
        end.store(address + UInt(bytes.count), ordering: .releasing)
    }

    private func finish() { end.store(0, ordering: .releasing) }
}

// MARK: - The list

extension WatchedMapping {
    typealias Node = UnsafeMutablePointer<WatchedMapping>

    /// The address of the node that was made last, the head of the list. A plain atomic, because the handler reads it
    /// and must not wait for a lazy initialisation.
    private static let last = Atomic<UInt>(0)
    /// Addresses of nodes that watch nothing.
    private static let free = Mutex<[UInt]>([])

    /// The node of the mapping that has an address. Safe in a signal handler: loads alone.
    static func node(with address: UInt) -> (node: Node, start: UInt, count: UInt)? {
        var node = Node(bitPattern: last.load(ordering: .acquiring))
        while let current = node {
            if let (start, count) = current.pointee.stretch(with: address) { return (current, start, count) }
            node = Node(bitPattern: current.pointee.next)
        }
        return nil
    }

    /// Begins to watch a mapping.
    static func watch(_ bytes: UnsafeRawBufferPointer) -> Node {
        free.withLock { free in
            if let used = free.popLast().flatMap({ Node(bitPattern: $0) }) {
                used.pointee.begin(bytes)
                return used
            }
            let node = Node.allocate(capacity: 1)
            node.initialize(to: WatchedMapping(next: last.load(ordering: .relaxed)))
            node.pointee.begin(bytes)
            last.store(UInt(bitPattern: node), ordering: .releasing)
            return node
        }
    }

    /// Stops watching a mapping, which must still be mapped.
    static func finish(_ node: Node) {
        free.withLock { free in
            node.pointee.finish()
            free.append(UInt(bitPattern: node))
        }
    }
}
