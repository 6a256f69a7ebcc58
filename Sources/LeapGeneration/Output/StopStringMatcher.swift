import LeapChat

/// Looks for stop strings in a text that comes in pieces, and holds back only what may be the start of one.
///
/// The string that is complete first ends the text; of several that end at the same place, the longest. So the result
/// does not depend on where the text was cut into pieces. Strings are compared byte by byte in UTF-8.
struct StopStringMatcher {
    private var matcher: MarkMatcher
    private let isEmpty: Bool

    /// The string that was found; nothing comes after it.
    private(set) var match: String?

    init(_ strings: [String]) {
        matcher = MarkMatcher(strings)
        isEmpty = strings.allSatisfy(\.isEmpty)
    }

    /// Takes a piece of text and returns the text that certainly precedes any stop string.
    mutating func append(_ text: String) -> String {
        guard !isEmpty else { return text }
        guard match == nil else { return "" }
        var released: [UInt8] = []
        for byte in text.utf8 {
            guard let mark = matcher.append(byte, into: &released) else { continue }
            match = String(decoding: mark, as: UTF8.self)
            break
        }
        return String(decoding: released, as: UTF8.self)
    }

    /// Returns what is still held back: no stop string follows any more.
    mutating func finish() -> String {
        var released: [UInt8] = []
        matcher.finish(into: &released)
        return String(decoding: released, as: UTF8.self)
    }
}
