import Foundation
import LeapOps
import LeapToolSupport

/// The rate at which this machine reads memory with the computing threads, which bounds decoding.
enum ReadBandwidth {
    /// The bytes per second of several passes over a buffer larger than all caches.
    ///
    /// The buffer is returned to the system before this returns, so that it does not count as the model's memory.
    ///
    /// - Throws: ``CommandError`` if the system has no room for the buffer, which is larger than many models.
    static func samples(_ compute: Compute, bufferSize size: Int = largerThanCaches) throws(CommandError) -> [Double] {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let address = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), address != MAP_FAILED else {
            throw CommandError(
                "cannot allocate the \(size >> 20) MiB needed to measure the memory read rate: \(SystemFailure())")
        }
        defer { munmap(address, size) }
        let buffer = UnsafeMutableRawBufferPointer(start: address, count: size)
        // Pages that were never written all map to a single zero page, which stays in the cache.
        buffer.initializeMemory(as: UInt8.self, repeating: 1)
        return (0..<passes).map { _ in Double(size) / seconds { _ = compute.readBytes(UnsafeRawBufferPointer(buffer)) }
        }
    }

    private static let passes = 8

    /// Several times the last-level cache, because each pass leaves the end of the buffer in the cache.
    static let largerThanCaches = min(max(8 * Machine.lastLevelCache, 256 << 20), 1 << 30)
}
