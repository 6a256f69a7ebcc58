#if Downloads && !canImport(Darwin)
import NIOCore
import NIOPosix
import Synchronization

/// The thread that all clients of this process share.
///
/// Not AsyncHTTPClient's own, of which there is one per CPU: each holds three descriptors, and the process ends where there
/// are none left. One receives more than disks take.
///
/// More than one is not safe besides. A request and its connection may then have different ones, so that the end of a body is
/// reported back a little after it was sent; where the server has answered and closed the connection by then, AsyncHTTPClient 1.37
/// ends the process ("A connection that we don't know was released?"). A request bound to its connection's thread avoids that, but
/// then no connection is used twice.
enum EventLoops {
    /// Those of the loop, and some for connections.
    private static let descriptors = 3 + 4
    private static let made = Mutex<MultiThreadedEventLoopGroup?>(nil)

    /// The thread, made at the first call.
    ///
    /// - Throws: ``TransportError/other(_:_:)`` where the system denies what they need.
    static func group(for name: String) throws(TransportError) -> any EventLoopGroup {
        let group = made.withLock { group -> MultiThreadedEventLoopGroup? in
            if group == nil, SystemResources.canOpen(files: descriptors), SystemResources.canRun(threads: 1) {
                group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            }
            return group
        }
        guard let group else {
            throw .other(
                name,
                "no connection can be made: \(descriptors) more open files and a thread are needed, which the "
                    + "system denies: raise the limits (ulimit -n, ulimit -v)")
        }
        return group
    }
}
#endif
