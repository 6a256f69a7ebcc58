import LeapBlocks

/// Memory for the activations of one forward pass, allocated from front to back and reclaimed all at once, or layer by
/// layer by ``scope(_:)``.
///
/// The first pass of a size allocates; later passes of the same size reuse that memory.
///
/// An arena that only counts returns the same invalid address for every allocation.
public final class ScratchArena {
    private var chunks: [UnsafeMutableRawBufferPointer] = []

    /// The position of the next allocation.
    private var cursor = (chunk: 0, offset: 0)

    private static let smallestChunk = 1 << 20

    /// The most bytes in use at one time since the last ``reset(reserving:)``.
    private(set) var peak = 0

    /// The address that a counting arena returns.
    private let nothing: UnsafeMutableRawPointer?

    /// - Parameter countsOnly: Whether to count only. The memory that is handed out must then not be accessed.
    init(countsOnly: Bool = false) {
        nothing = countsOnly ? .allocate(byteCount: AlignedMemory.alignment, alignment: AlignedMemory.alignment) : nil
    }

    /// Whether the arena only counts, so that its memory does not exist.
    var isCounting: Bool { nothing != nil }

    deinit {
        nothing?.deallocate()
        for chunk in chunks { chunk.deallocate() }
    }

    /// Bytes held.
    public var byteCount: Int { chunks.reduce(0) { $0 + $1.count } }

    /// Reclaims everything and makes sure that `bytes` are available contiguously.
    ///
    /// - Parameter bytes: What the pass will need, see ``Compute/counted(positions:_:)``. A pass that needs more gets
    ///   it, but then a failing allocation cannot be reported.
    /// - Returns: `false` if the system refuses the memory.
    public func reset(reserving bytes: Int = 0) -> Bool {
        (cursor, peak) = ((0, 0), 0)
        let needed = max(bytes, chunks.count > 1 ? byteCount : 0)
        guard chunks.count > 1 || needed > byteCount else { return true }
        for chunk in chunks { chunk.deallocate() }
        chunks = []
        guard let memory = AlignedMemory.allocate(needed) else { return false }
        chunks = [memory]
        return true
    }

    /// Runs `body` and reclaims the memory that it took.
    public func scope<Result>(_ body: () -> Result) -> Result {
        let mark = cursor
        defer { cursor = mark }
        return body()
    }

    /// Uninitialised rows, valid until the scope ends.
    public func rows(_ count: Int, width: Int) -> Rows {
        Rows(base: array(of: Float.self, count: count * width), count: count, width: width)
    }

    /// Uninitialised memory for values that need no destruction, valid until the scope ends.
    public func array<Element>(of type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        bytes(count * MemoryLayout<Element>.stride).bindMemory(to: type, capacity: count)
    }

    /// The size of an allocation of `count` bytes: whole cache lines, at least one.
    private static func size(ofBytes count: Int) -> Int {
        let line = AlignedMemory.alignment
        return (max(count, 1) + line - 1) / line * line
    }

    /// Uninitialised memory aligned to 64 bytes, valid until the scope ends.
    public func bytes(_ count: Int) -> UnsafeMutableRawPointer {
        let size = Self.size(ofBytes: count)
        if let nothing {
            take(size)
            return nothing
        }
        while cursor.chunk < chunks.count {
            let chunk = chunks[cursor.chunk]
            if let base = chunk.baseAddress, chunk.count - cursor.offset >= size {
                defer { take(size) }
                return base + cursor.offset
            }
            cursor = (cursor.chunk + 1, 0)
        }
        let length = max(size, Self.smallestChunk)
        guard let memory = AlignedMemory.allocate(length) else {
            preconditionFailure("out of memory: \(length) bytes for activations, beyond what the pass reserved")
        }
        chunks.append(memory)
        return bytes(count)
    }

    private func take(_ size: Int) {
        cursor.offset += size
        peak = max(peak, cursor.offset)
    }
}
