#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Memory in whole pages from the system instead of the heap, initially zero.
///
/// The state of sequences is large and long-lived, and a cache frees it in another order than it was allocated. On the
/// heap this would leave holes between small allocations (fragmentation), and a long-running process would grow.
enum SystemPages {
    /// Allocates memory; `nil` if the system has none.
    static func allocate(byteCount: Int) -> UnsafeMutableRawPointer? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        return memory == MAP_FAILED ? nil : memory
    }

    /// Frees memory.
    static func free(_ memory: UnsafeMutableRawPointer, byteCount: Int) { munmap(memory, byteCount) }
}
