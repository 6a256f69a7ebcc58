#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

// Kernels are also compiled without a C library, to check their objects.
#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
/// Memory for what kernels read and write.
public enum AlignedMemory {
    /// The size of a cache line and of the widest vector, where every allocation starts.
    public static let alignment = 64

    /// The size of a large page of x86-64, and of arm64 with usual pages.
    private static let largePage = 2 << 20

    /// Allocates uninitialised memory, to be released by `deallocate()` or `free`.
    ///
    /// Memory of several large pages starts on one, and Linux is asked to use them: kernels that jump from row to row would
    /// otherwise wait for the addresses of pages.
    ///
    /// - Returns: `nil` if the system has no memory. (Swift's own functions trap.)
    public static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer? {
        var memory: UnsafeMutableRawPointer?
        let isLarge = count >= 2 * largePage
        guard posix_memalign(&memory, isLarge ? largePage : alignment, max(count, 1)) == 0, let memory else {
            return nil
        }
        #if os(Linux) || os(Android)
        // Without effect on systems that have none.
        if isLarge { madvise(memory, count, MADV_HUGEPAGE) }
        #endif
        return UnsafeMutableRawBufferPointer(start: memory, count: count)
    }
}
#endif
