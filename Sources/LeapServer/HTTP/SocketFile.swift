#if Server
import Foundation
import NIOCore
import NIOPosix

/// The file of a Unix socket. A stale file of an earlier server is replaced, and the server's own is removed at the end.
struct SocketFile: Sendable {
    /// Why a socket cannot be created at its path.
    enum Failure: Error, CustomStringConvertible {
        /// Another server answers there.
        case isServed(String)
        /// The file is not a socket.
        case isNoSocket(String)

        var description: String {
            switch self {
            case .isServed(let path): "another server is listening at '\(path)': stop it, or choose another path."
            case .isNoSocket(let path): "the file at '\(path)' is not a socket: choose another path."
            }
        }
    }

    private let path: String

    /// Clears the path for a socket.
    ///
    /// - Returns: `nil` for an address that has no file.
    /// - Throws: ``Failure`` if the path is in use by another.
    init?(_ address: ServerConfiguration.Address) throws {
        guard case .unix(let path) = address else { return nil }
        self.path = path
        let manager = FileManager.default
        guard let type = try? manager.attributesOfItem(atPath: path)[.type] as? FileAttributeType else { return }
        guard type == .typeSocket else { throw Failure.isNoSocket(path) }
        guard !Self.isServed(path) else { throw Failure.isServed(path) }
        remove()
    }

    /// Removes the file.
    func remove() {
        // If it is already gone, there is nothing to do.
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func isServed(_ path: String) -> Bool {
        let channel = try? ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(.seconds(1)).connect(unixDomainSocketPath: path).wait()
        channel?.close(promise: nil)
        return channel != nil
    }
}
#endif
