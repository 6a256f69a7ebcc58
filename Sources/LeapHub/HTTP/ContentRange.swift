/// The `Content-Range` of a 206 response: `bytes FIRST-LAST/TOTAL`. RFC 9110, section 14.4.
struct ContentRange: Hashable {
    let first: Int64
    let last: Int64
    /// The size of the whole file; `nil` for `*`.
    let total: Int64?

    init?(_ text: String) {
        guard let match = text.wholeMatch(of: /bytes (\d+)-(\d+)\/(\d+|\*)/), let first = Int64(match.1),
            let last = Int64(match.2), first <= last
        else { return nil }
        self.first = first
        self.last = last
        total = Int64(match.3)
        if match.3 != "*" { guard let total = total?.asFileSize, last < total else { return nil } }
    }

    /// Returns whether the range is the rest of a file starting at an offset.
    func isRest(from start: Int64, size: Int64?) -> Bool {
        guard first == start, let total, last == total - 1 else { return false }
        return size == nil || size == total
    }
}
