#if Downloads && !canImport(Darwin)
import NIOCore
import NIOPosix
import Synchronization

/// The thread that all clients of this process share.
///
/// AsyncHTTPClient's own threads are not used, because there is one per CPU: each takes three file descriptors, and the
/// process crashes if none are left. One thread can receive data faster than disks can write it.
///
/// Besides, more than one is not safe. A request and its connection may then run on different threads, so that the end
/// of the body is reported with a delay; if the server has answered and closed the connection by then, AsyncHTTPClient
/// 1.37 terminates the process ("A connection that we don't know was released?"). Binding requests to their
/// connection's thread avoids that, but prevents connections from being reused.
enum EventLoops {
    /// The file descriptors of the event loop, and some for connections.
    private static let descriptors = 3 + 4
    private static let made = Mutex<MultiThreadedEventLoopGroup?>(nil)

    /// The thread, created at the first call.
    ///
    /// - Throws: ``TransportError/other(_:_:)`` if the system denies the necessary resources.
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
                "cannot open a connection: it needs \(descriptors) more file descriptors and a thread, which the "
                    + "system does not allow: raise the limits (ulimit -n, ulimit -v)")
        }
        return group
    }
}
#endif
