package import Foundation

/// Free space on disks.
package enum DiskSpace {
    /// Returns the free space for files of this user in a folder, in bytes; `nil` if unknown.
    package static func available(at folder: URL) -> Int64? {
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooLarge ? .max : Int64(clamping: bytes)
    }
}
