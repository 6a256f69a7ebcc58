import Foundation
import Synchronization

/// Memory in blocks of one size, which the pieces of a body use in turn.
///
/// Blocks as large as these go back to the system when they are freed, and come anew page by page, which costs about as much
/// as receiving what they hold.
final class BlockPool: Sendable {
    private let size: Int
    /// Unused blocks.
    private let free = Mutex<[Block]>([])

    /// A pool without blocks yet, each of which will have so many bytes.
    init(size: Int) { self.size = size }

    /// A block without bytes.
    func take() -> Block { free.withLock { $0.popLast() } ?? Block(size: size) }

    /// A block's bytes, not copied. The block returns to the pool when the last reference to them is released.
    func bytes(of block: Block) -> Data {
        guard let start = block.bytes.baseAddress, !block.bytes.isEmpty else { return Data() }
        return Data(
            bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: block.bytes.count,
            deallocator: .custom { _, _ in
                block.clear()
                self.free.withLock { $0.append(block) }
            })
    }
}

/// Some memory, the beginning of which is filled. It has one owner at a time, and does not change while its bytes are lent.
final class Block: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init(size: Int) { memory = .allocate(byteCount: size, alignment: 4096) }

    deinit { memory.deallocate() }

    var isFull: Bool { count == memory.count }

    /// What is filled.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Copies as many bytes as there is room for, and tells how many.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        count += taken
        return taken
    }

    func clear() { count = 0 }
}

/// Bytes that wait for their reader, in blocks.
struct WaitingBytes {
    private let pool = BlockPool(size: ResponseStream.capacity)
    private var full: [Data] = []
    private var last: Block?

    /// How many there are.
    private(set) var count = 0

    /// Appends a copy of bytes to those that wait.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        count += bytes.count
        var rest = bytes
        while !rest.isEmpty {
            let block = last ?? pool.take()
            rest = UnsafeRawBufferPointer(rebasing: rest[block.append(rest)...])
            last = block.isFull ? nil : block
            if block.isFull { full.append(pool.bytes(of: block)) }
        }
    }

    /// The oldest bytes, as many as are in one block; `nil` if none wait.
    mutating func next() -> Data? {
        let next = full.isEmpty ? last.take().map(pool.bytes) : full.removeFirst()
        count -= next?.count ?? 0
        return next
    }
}
