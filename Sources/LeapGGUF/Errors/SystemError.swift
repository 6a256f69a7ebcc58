#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// An error number of the operating system.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value of `errno`.
    public let code: Int32

    /// Wraps an `errno` value.
    public init(code: Int32) { self.code = code }

    /// The error of the system call that failed last on this thread.
    static var last: SystemError { SystemError(code: errno) }

    /// The system's description of the error, such as `No such file or directory`.
    public var description: String {
        strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}
