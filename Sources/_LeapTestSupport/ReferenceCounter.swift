#if canImport(Glibc)
import Glibc

/// Counts calls of the Swift runtime's reference counting, which a forward pass owes to do without.
///
/// They go through function pointers that the runtime has for such tools, while a flag of the runtime is set. Threads
/// count without synchronisation: two that count at the same time may count once, which hides no count.
public enum ReferenceCounter {
    /// Calls of the runtime.
    public struct Counts: Sendable, Equatable {
        /// References taken.
        public var retains = 0
        /// References given back.
        public var releases = 0

        /// None.
        public init() {}
    }

    /// Whether this runtime lets its reference counting be seen.
    public static var isAvailable: Bool { hooks != nil }

    /// What some work called.
    ///
    /// - Parameter onAllThreads: Whether other threads' calls count, whatever they work on.
    public static func count(onAllThreads: Bool, _ work: () throws -> Void) rethrows -> Counts {
        guard let hooks else { return Counts() }
        if originalRetain == nil { (originalRetain, originalRelease) = (hooks.retain.pointee, hooks.release.pointee) }
        (hooks.retain.pointee, hooks.release.pointee) = (countedRetain, countedRelease)
        (counts, countsAllThreads, countedThread) = (Counts(), onAllThreads, pthread_self())
        hooks.flag.pointee = true
        defer {
            hooks.flag.pointee = false
            if let originalRetain { hooks.retain.pointee = originalRetain }
            if let originalRelease { hooks.release.pointee = originalRelease }
        }
        try work()
        return counts
    }

    fileprivate typealias Retain = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
    fileprivate typealias Release = @convention(c) (UnsafeMutableRawPointer?) -> Void

    private struct Hooks: @unchecked Sendable {
        // `@unchecked`: used by one thread at a time.
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

@exclusivity(unchecked) nonisolated(unsafe) private var counts = ReferenceCounter.Counts()
@exclusivity(unchecked) nonisolated(unsafe) private var countsAllThreads = false
@exclusivity(unchecked) nonisolated(unsafe) private var countedThread = pthread_t()
@exclusivity(unchecked) nonisolated(unsafe) private var originalRetain: ReferenceCounter.Retain?
@exclusivity(unchecked) nonisolated(unsafe) private var originalRelease: ReferenceCounter.Release?

private let countedRetain: ReferenceCounter.Retain = { object in
    if countsAllThreads || pthread_equal(pthread_self(), countedThread) != 0 { counts.retains &+= 1 }
    return originalRetain?(object)
}

private let countedRelease: ReferenceCounter.Release = { object in
    if countsAllThreads || pthread_equal(pthread_self(), countedThread) != 0 { counts.releases &+= 1 }
    originalRelease?(object)
}
#else
/// References are counted with glibc alone.
public enum ReferenceCounter {
    /// Calls of the runtime.
    public struct Counts: Sendable, Equatable {
        /// References taken.
        public var retains = 0
        /// References given back.
        public var releases = 0

        /// None.
        public init() {}
    }

    /// Whether references can be counted.
    public static let isAvailable = false

    /// Runs the work.
    public static func count(onAllThreads: Bool, _ work: () throws -> Void) rethrows -> Counts {
        try work()
        return Counts()
    }
}
#endif
