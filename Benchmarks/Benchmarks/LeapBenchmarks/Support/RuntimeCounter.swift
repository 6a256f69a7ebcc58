#if canImport(Glibc)
import Glibc
import _LeapTestSupport

/// Counts what every program does without saying so: calls of the allocator, and of reference counting.
///
/// The allocator's functions are defined here once more, and the manifest has the linker give them the allocator's
/// names: the dynamic linker then prefers them, for the whole program. They call glibc's by their other names. Threads
/// count without synchronisation: two that count at the same time may count once, which hides no count.
enum RuntimeCounter {
    struct Counts {
        var allocations = 0
        var references = ReferenceCounter.Counts()
    }

    /// Whether this runtime lets its reference counting be seen.
    static var isAvailable: Bool { ReferenceCounter.isAvailable }

    /// What some work called, on all threads.
    static func count(_ work: () throws -> Void) rethrows -> Counts {
        let before = allocationCount
        let references = try ReferenceCounter.count(onAllThreads: true, work)
        return Counts(allocations: allocationCount - before, references: references)
    }
}

@exclusivity(unchecked) nonisolated(unsafe) private var allocationCount = 0

// MARK: - The allocator

@_silgen_name("__libc_malloc") private func systemMalloc(_ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_calloc") private func systemCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_realloc")
private func systemRealloc(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer?
@_silgen_name("__libc_memalign") private func systemAlign(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer?

@_cdecl("leap_malloc")
func countedMalloc(_ size: Int) -> UnsafeMutableRawPointer? {
    allocationCount &+= 1
    return systemMalloc(size)
}

@_cdecl("leap_calloc")
func countedCalloc(_ count: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    allocationCount &+= 1
    return systemCalloc(count, size)
}

@_cdecl("leap_realloc")
func countedRealloc(_ memory: UnsafeMutableRawPointer?, _ size: Int) -> UnsafeMutableRawPointer? {
    allocationCount &+= 1
    return systemRealloc(memory, size)
}

@_cdecl("leap_aligned_alloc")
func countedAlignedAlloc(_ alignment: Int, _ size: Int) -> UnsafeMutableRawPointer? {
    allocationCount &+= 1
    return systemAlign(alignment, size)
}

@_cdecl("leap_posix_memalign")
func countedAlign(_ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ alignment: Int, _ size: Int) -> CInt {
    allocationCount &+= 1
    guard let block = systemAlign(alignment, size) else { return ENOMEM }
    memory.pointee = block
    return 0
}
#else
import _LeapTestSupport

/// Allocations are counted with glibc alone.
enum RuntimeCounter {
    struct Counts {
        var allocations = 0
        var references = ReferenceCounter.Counts()
    }

    static let isAvailable = false

    static func count(_ work: () throws -> Void) rethrows -> Counts {
        try work()
        return Counts()
    }
}
#endif
