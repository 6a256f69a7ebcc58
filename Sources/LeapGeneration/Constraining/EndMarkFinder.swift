/// Looks for a mark, such as `</think>`, in a text that comes in pieces.
struct EndMarkFinder {
    /// The mark's bytes.
    let mark: [UInt8]
    /// The end of the text so far, which may be the beginning of the mark.
    private var held: [UInt8] = []

    init(_ mark: some Sequence<UInt8>) {
        self.mark = Array(mark)
    }

    /// Takes a piece. Whether the mark is complete with it; the search begins anew then.
    mutating func append(_ bytes: [UInt8]) -> Bool {
        let text = held + bytes
        guard end(in: text) == nil else {
            held = []
            return true
        }
        held = text.suffix(max(mark.count - 1, 0))
        return false
    }

    /// Whether a piece would complete the mark and have more after it.
    func isOverrun(by bytes: [UInt8]) -> Bool {
        let text = held + bytes
        return end(in: text).map { $0 < text.count } ?? false
    }

    /// Where the first mark in a text ends.
    private func end(in text: [UInt8]) -> Int? {
        guard !mark.isEmpty, text.count >= mark.count else { return nil }
        let start = (0...text.count - mark.count).first { text[$0...].starts(with: mark) }
        return start.map { $0 + mark.count }
    }
}
