/// Searches a byte stream for marks, and holds back only bytes that may be the start of a mark.
///
/// The mark that is complete first is found; of several that end at the same byte, the longest. So what is found does not
/// depend on how the text is split into pieces.
package struct MarkMatcher: Sendable {
    private let marks: [[UInt8]]
    /// Whether a byte begins a mark.
    private let begins: [Bool]
    /// The end of the text so far, which may be the beginning of a mark.
    package private(set) var held: [UInt8] = []

    /// - Parameter marks: What to look for; empty ones are never found.
    package init(_ marks: [String]) {
        self.marks = marks.map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
        var begins = [Bool](repeating: false, count: 256)
        for mark in self.marks { begins[Int(mark[0])] = true }
        self.begins = begins
    }

    /// Takes a byte, and moves bytes that certainly precede any mark to `released`.
    ///
    /// - Returns: The mark that the byte completes; it is neither released nor held.
    package mutating func append(_ byte: UInt8, into released: inout [UInt8]) -> [UInt8]? {
        if held.isEmpty, !begins[Int(byte)] {
            released.append(byte)
            return nil
        }
        held.append(byte)
        if let mark = marks.first(where: { held.count >= $0.count && held.suffix($0.count).elementsEqual($0) }) {
            released += held.dropLast(mark.count)
            held = []
            return mark
        }
        var start = 0
        while start < held.count, !marks.contains(where: { $0.starts(with: held[start...]) }) { start += 1 }
        released += held[..<start]
        held.removeFirst(start)
        return nil
    }

    /// Moves the bytes that are still held to `released`, at the end of the text.
    package mutating func finish(into released: inout [UInt8]) {
        released += held
        held = []
    }
}
