/// Limits of the system's calls for reading and writing.
package enum SystemCall {
    /// The most bytes to read or write in one call. Darwin refuses 2 GiB and more, and Linux transfers only a part of them.
    package static let largestTransfer = 1 << 30
}
