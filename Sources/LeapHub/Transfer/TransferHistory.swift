/// The history of a file's transfer over all attempts so far.
struct TransferHistory {
    /// The most bytes received per byte of the file, including discarded ones.
    static let bytesPerByte: Int64 = 3

    /// Bytes that have arrived.
    private(set) var received: Int64 = 0
    /// How often the bytes were discarded to restart.
    private(set) var restarts = 0
    /// The most bytes that were here at a time: only what goes beyond is progress.
    private(set) var highest: Int64 = 0
    /// Whether all bytes were here once, and were the wrong ones.
    var wasWrong = false
    /// Why the last attempt failed.
    var lastFailure: HubError?

    /// So many bytes are here that an earlier program left.
    mutating func found(_ count: Int64) { highest = max(highest, count) }

    /// Records that bytes have arrived, and the new total.
    mutating func arrived(_ count: Int, total: Int64) {
        received += Int64(count)
        highest = max(highest, total)
    }

    /// Records that the bytes were discarded.
    mutating func restarted() { restarts += 1 }

    /// Whether this many more bytes would exceed the limit for a file of this size.
    func isTooMuch(adding count: Int, size: Int64) -> Bool {
        let (limit, isEndless) = size.multipliedReportingOverflow(by: Self.bytesPerByte)
        return !isEndless && received + Int64(count) > limit
    }
}
