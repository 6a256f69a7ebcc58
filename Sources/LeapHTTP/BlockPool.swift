import Foundation
import Synchronization

/// Memory blocks of one size, reused by the pieces of a body.
///
/// Blocks of this size are returned to the system when they are freed, and are paged in again when allocated, which
/// takes about as long as receiving their contents.
final class BlockPool: Sendable {
    private let size: Int
    /// Unused blocks.
    private let free = Mutex<[Block]>([])

    /// Creates an empty pool with a given block size.
    init(size: Int) { self.size = size }

    /// An empty block.
    func take() -> Block { free.withLock { $0.popLast() } ?? Block(size: size) }

    /// A block's bytes, without copying. The block returns to the pool when the last reference to them is released.
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

/// A partly filled piece of memory. It has one owner at a time, and does not change while its bytes are in use.
final class Block: @unchecked Sendable {
    private let memory: UnsafeMutableRawBufferPointer
    private var count = 0

    init(size: Int) { memory = .allocate(byteCount: size, alignment: 4096) }

    deinit { memory.deallocate() }

    var isFull: Bool { count == memory.count }

    /// What is filled.
    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Copies as many bytes as fit, and returns their number.
    func append(_ bytes: UnsafeRawBufferPointer) -> Int {
        let taken = min(bytes.count, memory.count - count)
        UnsafeMutableRawBufferPointer(rebasing: memory[count...])
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<taken]))
        count += taken
        return taken
    }

    func clear() { count = 0 }
}

/// Bytes that have not been read yet, in blocks.
struct WaitingBytes {
    private let pool = BlockPool(size: ResponseStream.capacity)
    private var full: [Data] = []
    private var last: Block?

    /// The number of bytes.
    private(set) var count = 0

    /// Appends a copy of bytes.
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

    /// Removes and returns the bytes of the oldest block; `nil` if there are none.
    mutating func next() -> Data? {
        let next = full.isEmpty ? last.take().map(pool.bytes) : full.removeFirst()
        count -= next?.count ?? 0
        return next
    }
}
