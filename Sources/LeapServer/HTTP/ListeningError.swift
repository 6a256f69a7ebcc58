#if Server
import Foundation
import LeapGGUF
import NIOCore

/// Why a server cannot listen on its address.
public enum ListeningError: Error, Sendable, Hashable {
    /// Another program uses the address.
    case addressInUse
    /// The host name has no address, for a reason.
    case unknownHost(String)
    /// The path of a Unix socket is longer than the system permits.
    case pathTooLong
    /// Another error of the system: its number (`errno`).
    case system(Int32)

    /// The error behind one of the network library; `nil` if it is none of opening a socket.
    init?(_ error: any Error) {
        switch error {
        case let error as IOError: self = error.errnoCode == EADDRINUSE ? .addressInUse : .system(error.errnoCode)
        case let error as SocketAddressError.UnknownHost: self = .unknownHost(error.errorDescription)
        case SocketAddressError.unixDomainSocketPathTooLong: self = .pathTooLong
        default: return nil
        }
    }
}

extension ListeningError: CustomStringConvertible {
    /// What is wrong with the address.
    public var description: String {
        switch self {
        case .addressInUse: "another program uses this address"
        case .unknownHost(let reason): "the host is unknown: \(reason)"
        case .pathTooLong: "the path is too long for a socket"
        case .system(let code): SystemError(code: code).description
        }
    }
}
#endif
