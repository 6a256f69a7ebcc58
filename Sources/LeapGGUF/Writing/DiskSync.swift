#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Brings to the disk what was written, so that a power failure does not lose it.
package enum DiskSync {
    /// Syncs an open file.
    ///
    /// - Parameter durably: Whether to empty the cache of the disk, too, where the system leaves that to programs. It takes
    ///   tens of milliseconds, and is wasted on what can be made again.
    /// - Returns: Whether that succeeded; otherwise `errno` says why not.
    package static func file(_ descriptor: CInt, durably: Bool = true) -> Bool {
        #if canImport(Darwin)
        // There, `fsync` leaves the bytes in the cache of the disk. Not every file system and device knows the other call,
        // but an error of the disk must not be asked for twice: the second answer would be that all is well.
        if durably {
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
            guard errno != EIO else { return false }
        }
        #endif
        return fsync(descriptor) == 0
    }

    /// Syncs the names in an open folder, where the file system supports that.
    ///
    /// - Returns: Whether that succeeded, or is not supported; otherwise `errno` says why not.
    package static func folder(_ descriptor: CInt, durably: Bool = true) -> Bool {
        file(descriptor, durably: durably) || errno == EINVAL || errno == ENOTSUP
    }
}
