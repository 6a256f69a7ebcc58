import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where threads sleep until there is work.
final class Gate: @unchecked Sendable {
    // `@unchecked`: a pthread mutex and condition, which are what makes this safe.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Sleeps until `ready`. The sleeper is counted before it looks at `ready`, and the waker publishes work before it
    /// looks at the count, so one of the two always sees the other.
    func wait(_ sleepers: borrowing Atomic<Int>, until ready: () -> Bool) {
        pthread_mutex_lock(mutex)
        sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
        while !ready() { pthread_cond_wait(condition, mutex) }
        sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
        pthread_mutex_unlock(mutex)
    }

    func wakeAll() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }
}

/// A joinable system thread.
struct Thread: @unchecked Sendable {
    // `@unchecked`: a thread handle may be used from any thread.
    private let handle: pthread_t

    /// Starts a thread; `nil` if the system refuses.
    init?(_ body: @escaping @Sendable () -> Void) {
        #if canImport(Darwin)
        var handle: pthread_t?
        #else
        var handle = pthread_t()
        #endif
        let context = Unmanaged.passRetained(Body(run: body))
        let status = pthread_create(
            &handle, nil,
            { argument in
                #if canImport(Darwin)
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                #else
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                #endif
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            return nil
        }
        #if canImport(Darwin)
        guard let handle else { return nil }
        #endif
        self.handle = handle
    }

    func join() { pthread_join(handle, nil) }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
