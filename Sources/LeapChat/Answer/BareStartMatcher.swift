import LeapTemplate

/// Looks for what an answer that is nothing but calls begins with, whatever spaces stand in it.
struct BareStartMatcher: Sendable {
    /// What became of a byte.
    enum Outcome: Equatable {
        /// Nothing is looked for.
        case inert
        /// The byte may belong to the beginning.
        case held
        /// These bytes, the last among them, are no such beginning.
        case released([UInt8])
        /// These bytes are the beginning.
        case found([UInt8])
    }

    private let pattern: [UInt8]
    private var isPossible: Bool
    private var matched = 0
    private var held: [UInt8] = []

    /// - Parameter pattern: The beginning without spaces; nil if there is none.
    init(_ pattern: String?) {
        self.pattern = Array((pattern ?? "").utf8)
        isPossible = !self.pattern.isEmpty
    }

    mutating func append(_ byte: UInt8) -> Outcome {
        guard isPossible else { return .inert }
        held.append(byte)
        if Unicode.Scalar(byte).isPythonSpace { return .held }
        guard byte == pattern[matched] else { return .released(finish()) }
        matched += 1
        return matched == pattern.count ? .found(finish()) : .held
    }

    /// Text came that is no such beginning: if it is more than spaces, calls are no longer all that there is.
    mutating func textFollows(_ bytes: ArraySlice<UInt8>) {
        isPossible = isPossible && bytes.allSatisfy { Unicode.Scalar($0).isPythonSpace }
    }

    /// What is held back.
    mutating func finish() -> [UInt8] {
        matched = 0
        defer { held = [] }
        return held
    }
}
