#if Server
import Foundation
import NIOCore
import NIOPosix

/// The file of a Unix socket. A stale file of an earlier server is replaced, and the server's own is removed at the end.
struct SocketFile: Sendable {
    /// Why a socket cannot have its file.
    enum Failure: Error, CustomStringConvertible {
        /// Another server answers there.
        case isServed(String)
        /// Something is there that is no socket.
        case isNoSocket(String)

        var description: String {
            switch self {
            case .isServed(let path): "another server listens at '\(path)': end it, or choose another path."
            case .isNoSocket(let path): "there is something at '\(path)' that is no socket: choose another path."
            }
        }
    }

    private let path: String

    /// Makes way for a socket.
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
        // Where it is gone already, there is nothing to do.
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
