#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The resource limits of this process.
///
/// If the system denies a thread, Dispatch waits for one, possibly forever; if it denies a file descriptor, Dispatch
/// and NIO end the process. So code that starts them checks here first.
package enum SystemResources {
    /// Whether this many more files can be opened at the same time.
    package static func canOpen(files count: Int) -> Bool {
        var descriptors: [CInt] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        while descriptors.count < count {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            descriptors.append(descriptor)
        }
        return true
    }

    /// Whether so many more threads can run at a time within this process's address space; asked only where that is limited.
    package static func canRun(threads count: Int) -> Bool { !isAddressSpaceLimited || Self.probe(threads: count) }

    /// Makes all threads allocate memory from one arena if the address space is limited: by default each thread
    /// reserves 64 MB of its own, until there is no room for another thread's stack.
    package static func saveAddressSpace() {
        // Looked up by name, because the system's module does not contain it.
        guard isAddressSpaceLimited, let mallopt = dlsym(nil, "mallopt") else { return }
        let arenaMax: CInt = -8  // M_ARENA_MAX of malloc.h
        _ = unsafeBitCast(mallopt, to: (@convention(c) (CInt, CInt) -> CInt).self)(arenaMax, 1)
    }
}

#if canImport(Glibc)
extension SystemResources {
    private static var isAddressSpaceLimited: Bool {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_AS.rawValue)
        return getrlimit(kind, &limit) == 0 && limit.rlim_cur != rlim_t.max
    }

    /// Starts threads that wait until all are started, then ends them; returns whether all could be started, with memory
    /// left for what the caller does next.
    private static func probe(threads count: Int) -> Bool {
        // The system keeps the stacks of ended threads, so what they leave is all that remains, even to report an error.
        let reserve = (0..<16).map { _ in malloc(64 << 10) }
        defer { for block in reserve { free(block) } }
        guard !reserve.contains(nil) else { return false }
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        defer { gate.deallocate() }
        pthread_mutex_init(gate, nil)
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        threads.reserveCapacity(count)
        for _ in 0..<count {
            var thread = pthread_t()
            guard pthread_create(&thread, nil, wait, gate) == 0 else { break }
            threads.append(thread)
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        pthread_mutex_destroy(gate)
        return threads.count == count
    }

    private static let wait: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { gate in
        guard let gate = gate?.assumingMemoryBound(to: pthread_mutex_t.self) else { return nil }
        pthread_mutex_lock(gate)
        pthread_mutex_unlock(gate)
        return nil
    }
}
#else
extension SystemResources {
    private static var isAddressSpaceLimited: Bool { false }
    private static func probe(threads count: Int) -> Bool { true }
}
#endif
