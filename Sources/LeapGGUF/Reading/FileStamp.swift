#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Identifies a file and the state of its content without reading it: every write to a file changes at least ``changed``.
public struct FileStamp: Hashable, Sendable {
    /// The file system that the file is on.
    public let device: UInt64
    /// The file's number there.
    public let inode: UInt64
    /// Bytes in the file.
    public let size: Int
    /// When its content was written last (`mtime`). Programs can set it to any time.
    public let modified: Time
    /// When its content, its name or its permissions were changed last (`ctime`), by the system's clock.
    public let changed: Time

    /// A time since 1970.
    public struct Time: Hashable, Sendable {
        /// Whole seconds.
        public let seconds: Int
        /// The rest.
        public let nanoseconds: Int
    }

    init(_ info: stat) {
        device = UInt64(truncatingIfNeeded: info.st_dev)
        inode = UInt64(truncatingIfNeeded: info.st_ino)
        size = Int(clamping: info.st_size)
        #if canImport(Darwin)
        (modified, changed) = (Time(info.st_mtimespec), Time(info.st_ctimespec))
        #else
        (modified, changed) = (Time(info.st_mtim), Time(info.st_ctim))
        #endif
    }
}

extension FileStamp.Time {
    fileprivate init(_ time: timespec) { self.init(seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec)) }
}
