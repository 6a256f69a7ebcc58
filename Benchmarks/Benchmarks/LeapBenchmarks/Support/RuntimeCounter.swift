#if canImport(Glibc)
import Glibc

/// Counts implicit runtime calls: of the allocator, and of reference counting.
///
/// The allocator's functions are redefined here, and the manifest has the linker give them the allocator's names: the
/// dynamic linker then prefers them for the whole program. They call glibc's functions by their other names. Reference
/// counting is hooked through function pointers that the Swift runtime has for such tools, while a flag of the runtime
/// is set. Threads count without synchronisation: two that count at the same time may count once, but a count never
/// stays zero because of that.
enum RuntimeCounter {
    struct Counts {
        var allocations = 0
        var retains = 0
        var releases = 0
    }

    /// Whether this runtime lets its reference counting be hooked.
    static var isAvailable: Bool { hooks != nil }

    /// The calls during some work, on all threads.
    static func count(_ work: () throws -> Void) rethrows -> Counts {
        guard let hooks else { return Counts() }
        (originalRetain, originalRelease) = (hooks.retain.pointee, hooks.release.pointee)
        (hooks.retain.pointee, hooks.release.pointee) = (countedRetain, countedRelease)
        let before = (allocationCount, retainCount, releaseCount)
        hooks.flag.pointee = true
        defer {
            hooks.flag.pointee = false
            if let originalRetain { hooks.retain.pointee = originalRetain }
            if let originalRelease { hooks.release.pointee = originalRelease }
        }
        try work()
        return Counts(
            allocations: allocationCount - before.0, retains: retainCount - before.1, releases: releaseCount - before.2)
    }

    fileprivate typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    fileprivate typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void

    private struct Hooks: @unchecked Sendable {
        // `@unchecked`: used by one thread.
        let retain: UnsafeMutablePointer<Retain>
        let release: UnsafeMutablePointer<Release>
        let flag: UnsafeMutablePointer<Bool>
    }

    private static let hooks: Hooks? = {
        func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(dlopen(nil, RTLD_NOW), name) }
        guard let retain = symbol("_swift_retain"), let release = symbol("_swift_release"),
            let flag = symbol("_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
        else { return nil }
        return Hooks(
            retain: retain.assumingMemoryBound(to: Retain.self),
            release: release.assumingMemoryBound(to: Release.self), flag: flag.assumingMemoryBound(to: Bool.self))
    }()
}

// MARK: - Counters

@exclusivity(unchecked) nonisolated(unsafe) private var allocationCount = 0
@exclusivity(unchecked) nonisolated(unsafe) private var retainCount = 0
@exclusivity(unchecked) nonisolated(unsafe) private var releaseCount = 0
@exclusivity(unchecked) nonisolated(unsafe) private var originalRetain: RuntimeCounter.Retain?
@exclusivity(unchecked) nonisolated(unsafe) private var originalRelease: RuntimeCounter.Release?

private let countedRetain: RuntimeCounter.Retain = { object in
    retainCount &+= 1
    return originalRetain?(object)
}

private let countedRelease: RuntimeCounter.Release = { object in
    releaseCount &+= 1
    originalRelease?(object)
}

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
/// Allocations are counted only with glibc.
enum RuntimeCounter {
    struct Counts {
        var allocations = 0
        var retains = 0
        var releases = 0
    }

    static let isAvailable = false

    static func count(_ work: () throws -> Void) rethrows -> Counts {
        try work()
        return Counts()
    }
}
#endif
