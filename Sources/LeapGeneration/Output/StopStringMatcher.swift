/// Looks for stop strings in a text that comes in pieces, and holds back only what may be the start of one.
///
/// The string that is complete first ends the text; of several that end at the same place, the longest. So the result
/// does not depend on where the text was cut into pieces. Strings are compared byte by byte in UTF-8.
struct StopStringMatcher {
    private let strings: [[UInt8]]
    private var held: [UInt8] = []

    /// The string that was found; nothing comes after it.
    private(set) var match: String?

    init(_ strings: [String]) {
        self.strings = strings.map { Array($0.utf8) }.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// Takes a piece of text and returns what is certain to stand before any stop string.
    mutating func append(_ text: String) -> String {
        guard !strings.isEmpty else { return text }
        guard match == nil else { return "" }
        var released: [UInt8] = []
        for byte in text.utf8 {
            held.append(byte)
            if let string = strings.first(where: { held.ends(with: $0) }) {
                released += held.dropLast(string.count)
                held = []
                match = String(decoding: string, as: UTF8.self)
                break
            }
            release(into: &released)
        }
        return String(decoding: released, as: UTF8.self)
    }

    /// Returns what is still held back: no stop string follows any more.
    mutating func finish() -> String {
        defer { held = [] }
        return String(decoding: held, as: UTF8.self)
    }

    /// Moves on what is not the start of a stop string.
    private mutating func release(into released: inout [UInt8]) {
        while !held.isEmpty, !strings.contains(where: { $0.starts(with: held) }) {
            released.append(held.removeFirst())
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool {
        count >= other.count && suffix(other.count).elementsEqual(other)
    }
}
