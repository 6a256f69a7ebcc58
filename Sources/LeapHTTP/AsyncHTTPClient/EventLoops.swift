#if Downloads && !canImport(Darwin)
import NIOCore
import NIOPosix
import Synchronization

/// The threads that all clients of this process share.
///
/// Not AsyncHTTPClient's own, of which there is one per CPU: each holds three descriptors, and the process ends where there
/// are none left. Two receive more than disks take.
enum EventLoops {
    private static let count = 2
    /// Those of the loops, and some for connections.
    private static let descriptors = 3 * count + 4
    private static let made = Mutex<MultiThreadedEventLoopGroup?>(nil)

    /// The threads, made at the first call.
    ///
    /// - Throws: ``TransportError/other(_:_:)`` where the system denies what they need.
    static func group(for name: String) throws(TransportError) -> any EventLoopGroup {
        let group = made.withLock { group -> MultiThreadedEventLoopGroup? in
            if group == nil, SystemResources.canOpen(files: descriptors), SystemResources.canRun(threads: count) {
                group = MultiThreadedEventLoopGroup(numberOfThreads: count)
            }
            return group
        }
        guard let group else {
            throw .other(
                name,
                "no connection can be made: \(descriptors) more open files and \(count) more threads are needed, which the "
                    + "system denies: raise the limits (ulimit -n, ulimit -v)")
        }
        return group
    }
}
#endif
