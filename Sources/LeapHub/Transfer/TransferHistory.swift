/// What the transfer of a file has cost so far, all its attempts together.
struct TransferHistory {
    /// The most bytes received per byte of the file, including discarded ones.
    static let bytesPerByte: Int64 = 3

    /// Bytes that have arrived.
    private(set) var received: Int64 = 0
    /// How often bytes were thrown away, to begin anew.
    private(set) var restarts = 0
    /// The most bytes that were here at a time: only what goes beyond is progress.
    private(set) var highest: Int64 = 0
    /// Whether all bytes were here once, and were the wrong ones.
    var wasWrong = false
    /// Why the last attempt failed.
    var lastFailure: HubError?

    /// So many bytes are here that an earlier program left.
    mutating func found(_ count: Int64) { highest = max(highest, count) }

    /// Bytes have arrived, and so many are here now.
    mutating func arrived(_ count: Int, total: Int64) {
        received += Int64(count)
        highest = max(highest, total)
    }

    /// Bytes were thrown away.
    mutating func restarted() { restarts += 1 }

    /// Whether so many more bytes would exceed the limit for a file of this size.
    func isTooMuch(adding count: Int, size: Int64) -> Bool {
        let (limit, isEndless) = size.multipliedReportingOverflow(by: Self.bytesPerByte)
        return !isEndless && received + Int64(count) > limit
    }
}
