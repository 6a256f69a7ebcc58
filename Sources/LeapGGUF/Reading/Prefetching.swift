import Dispatch
import Foundation
import LeapBlocks
import Synchronization

extension GGUFFile {
    /// Reads a mapped file into memory if it was evicted or never read, before a first pass that would otherwise wait
    /// for the disk one page at a time.
    ///
    /// Several threads read parts of the file in parallel, because a disk that serves several requests at once is two
    /// to three times as fast as one page fault after another. The data stays in the system's page cache, from which
    /// the mapping takes it; no memory of the process is used. Returns once everything has been read; read errors are
    /// ignored and reported on access. Does nothing if the file is not mapped.
    ///
    /// - Parameter threads: The number of parallel requests; at least 1.
    public func prefetch(threads: Int = 4) {
        for file in files { file.prefetch(threads: max(threads, 1)) }
    }
}

extension FileBytes {
    /// Reads the whole file, and keeps nothing.
    fileprivate func prefetch(threads: Int) {
        guard let file = openFile else { return }
        let stretches = Stretches(of: file.size)
        let group = DispatchGroup()
        for _ in 0..<threads {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                guard let buffer = AlignedMemory.allocate(Stretches.size) else { return }
                defer { buffer.deallocate() }
                while let stretch = stretches.next() {
                    guard file.canRead(stretch, into: buffer) else { return }
                }
            }
        }
        group.wait()
    }
}

/// A file cut into stretches, each of which is given out once.
private final class Stretches: Sendable {
    /// Bytes of a stretch: large enough for a disk's largest request.
    static let size = 4 << 20

    private let end: Int
    private let position = Atomic<Int>(0)

    init(of size: Int) { end = size }

    /// The next stretch of the file; `nil` when all are given out.
    func next() -> Range<Int>? {
        let start = position.add(Self.size, ordering: .relaxed).oldValue
        return start < end ? start..<min(start + Self.size, end) : nil
    }
}
