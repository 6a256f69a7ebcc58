/// Finds marks in a byte stream, and holds back only bytes that may become a mark. One mark may be a prefix of
/// another.
///
/// The mark that begins first is found; of several that begin at the same byte, the longest. So what is found does not
/// depend on how the text is split into pieces.
struct MarkFinder: Sendable {
    /// A mark, and the bytes after it that had to be seen to know that it is no longer one.
    struct Found {
        let mark: [UInt8]
        let rest: [UInt8]
    }

    private let marks: [[UInt8]]
    /// Whether a byte begins a mark.
    private let begins: [Bool]
    /// The end of the text so far, which may be a mark or the beginning of one.
    private(set) var held: [UInt8] = []

    /// - Parameter marks: What to look for; empty ones are never found.
    init(_ marks: [String]) {
        self.marks = Set(marks).map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
        var begins = [Bool](repeating: false, count: 256)
        for mark in self.marks { begins[Int(mark[0])] = true }
        self.begins = begins
    }

    /// Takes a byte, and moves bytes that certainly precede any mark to `released`.
    mutating func append(_ byte: UInt8, into released: inout [UInt8]) -> Found? {
        if held.isEmpty, !begins[Int(byte)] {
            released.append(byte)
            return nil
        }
        held.append(byte)
        return settle(into: &released) { mark, held in mark.count > held.count && mark.starts(with: held) }
    }

    /// Finds marks in the held bytes at the end of the stream. Call it until it finds nothing.
    mutating func finish(into released: inout [UInt8]) -> Found? {
        settle(into: &released) { _, _ in false }
    }

    private mutating func settle(
        into released: inout [UInt8], _ mayBecome: (_ mark: [UInt8], _ held: [UInt8]) -> Bool
    ) -> Found? {
        while !held.isEmpty {
            if marks.contains(where: { mayBecome($0, held) }) { return nil }
            if let mark = marks.first(where: { held.starts(with: $0) }) {
                defer { held = [] }
                return Found(mark: mark, rest: Array(held.dropFirst(mark.count)))
            }
            released.append(held.removeFirst())
        }
        return nil
    }
}
