#if Server
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The number of file descriptors that the process may have.
enum OpenFiles {
    /// Those that are not for connections: model files, other servers, logs.
    private static let others = 64
    /// More than this are never useful; macOS permits no more, whatever limit it reports.
    #if canImport(Darwin)
    private static let most = rlim_t(OPEN_MAX)
    #else
    private static let most: rlim_t = 65_536
    #endif

    #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif

    /// The number available for connections; `nil` if the system does not report it.
    static var roomForConnections: Int? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return max(others / 4, Int(clamping: limit.rlim_cur) - others)
    }

    /// Raises the process's limit to its maximum.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, most)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        // If this fails, fewer clients are served at a time.
        setrlimit(resource, &limit)
    }
}
#endif
