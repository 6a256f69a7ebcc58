#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Identifies a file and the state of its content without reading it: each write to the file changes at least
/// ``changed``.
public struct FileStamp: Hashable, Sendable {
    /// The file system that the file is on.
    public let device: UInt64
    /// The file's inode number on that file system.
    public let inode: UInt64
    /// The size of the file in bytes.
    public let size: Int
    /// The time of the last write to the content (`mtime`). Programs can set it to any value.
    public let modified: Time
    /// The time of the last change to the content, name or permissions (`ctime`), by the system clock.
    public let changed: Time

    /// A time since the Unix epoch.
    public struct Time: Hashable, Sendable {
        /// The whole seconds.
        public let seconds: Int
        /// The fraction of a second, in nanoseconds.
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
