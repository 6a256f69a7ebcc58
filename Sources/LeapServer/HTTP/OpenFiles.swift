#if Server
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// How many descriptors the process may have.
enum OpenFiles {
    /// Those that are not for connections: model files, other servers, logs.
    private static let others = 64
    /// More than this are nowhere of use; macOS permits no more, whatever it says.
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

    /// How many of them connections may have; `nil` where the system does not say it.
    static var roomForConnections: Int? {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        return max(others / 4, Int(clamping: limit.rlim_cur) - others)
    }

    /// Has the process have as many as it may have at most.
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return }
        let wanted = min(limit.rlim_max, most)
        guard limit.rlim_cur < wanted else { return }
        limit.rlim_cur = wanted
        // Where it is refused, fewer clients are served at a time.
        setrlimit(resource, &limit)
    }
}
#endif
