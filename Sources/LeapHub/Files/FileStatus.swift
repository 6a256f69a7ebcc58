import Foundation

/// The metadata of a file.
struct FileStatus: Hashable, Sendable {
    let size: Int64
    let isRegular: Bool
    let isLink: Bool
    /// Whether it is a regular file of this user with a single hard link, so that writing to it changes no other file.
    let isOurs: Bool
    /// The device and the inode number, which identify the file.
    private let device: UInt64
    private let number: UInt64

    init(_ status: stat) {
        size = Int64(status.st_size)
        let kind = status.st_mode & S_IFMT
        isRegular = kind == S_IFREG
        isLink = kind == S_IFLNK
        isOurs = isRegular && status.st_nlink == 1 && status.st_uid == geteuid()
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
    }

    func isSameFile(as other: FileStatus) -> Bool { device == other.device && number == other.number }
}
