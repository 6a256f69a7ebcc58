/// The bytes of a block of calls so far, and the read position.
///
/// Its answers depend only on bytes that have arrived, never on how they were divided into pieces. If further bytes are
/// needed to decide, the answer is ``Match/undecided``.
struct CallInput {
    /// The result of a lookahead.
    enum Match: Equatable {
        case yes, no
        /// More bytes are needed to decide.
        case undecided
    }

    /// Bytes of a name, a key or the attributes of a tag.
    static let nameLimit = 256

    private(set) var bytes: [UInt8] = []
    /// The byte that is read next.
    var position = 0
    /// The start of the next search for an end, so that no byte is searched twice.
    private var searched = 0

    mutating func append(_ byte: UInt8) { bytes.append(byte) }

    /// The byte that is read next.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// The bytes that have not been read.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Discards the bytes that have been read.
    mutating func forgetRead() {
        bytes.removeFirst(position)
        position = 0
        searched = 0
    }

    mutating func skipSpace(and others: [UInt8] = []) {
        while let byte = next, byte.isASCIISpace || others.contains(byte) { position += 1 }
    }

    /// Whether a text comes next.
    func isAt(_ text: String) -> Match {
        let wanted = text.utf8
        guard rest.count < wanted.count else { return rest.starts(with: wanted) ? .yes : .no }
        return wanted.starts(with: rest) ? .undecided : .no
    }

    /// Skips a text, if it comes next.
    mutating func take(_ text: String) -> Match {
        let match = isAt(text)
        if match == .yes { position += text.utf8.count }
        return match
    }

    /// Skips the first of several texts that comes next.
    mutating func take(anyOf texts: [String]) -> Match {
        var isUndecided = false
        for text in texts {
            switch take(text) {
            case .yes: return .yes
            case .undecided: isUndecided = true
            case .no: break
            }
        }
        return isUndecided ? .undecided : .no
    }

    /// Skips surplus bytes before one of several texts. Skips nothing if something else follows them, or if there are more than
    /// ``nameLimit``.
    mutating func skip(_ surplus: (UInt8) -> Bool, before texts: [String]) -> Match {
        let start = position
        var match = isAt(anyOf: texts)
        // A text may begin with such a byte.
        while match == .no, let byte = next, surplus(byte), position - start < Self.nameLimit {
            position += 1
            match = isAt(anyOf: texts)
        }
        if match != .yes { position = start }
        return match
    }

    /// Whether one of several texts comes next.
    func isAt(anyOf texts: [String]) -> Match {
        let matches = texts.map { isAt($0) }
        return matches.contains(.yes) ? .yes : matches.contains(.undecided) ? .undecided : .no
    }

    /// A short text up to one of several ends: one that is skipped, and others that are not.
    ///
    /// - Returns: The text; `nil` until an end has arrived. `isTooLong`: it is too long for a name.
    mutating func takeName(
        until end: String? = nil, orBefore others: [String] = []
    ) -> (text: String?, isTooLong: Bool) {
        let texts = (end.map { [$0] } ?? []) + others
        let last = min(bytes.count, position + Self.nameLimit)
        for offset in min(max(searched, position), last)..<last {
            let found = at(offset, texts)
            searched = offset
            if found.isUndecided { return (nil, false) }
            guard let found = found.text else { continue }
            let text = String(decoding: bytes[position..<offset], as: UTF8.self)
            position = found == end ? offset + found.utf8.count : offset
            return (text, false)
        }
        searched = last
        return (nil, bytes.count - position >= Self.nameLimit)
    }

    private func at(_ offset: Int, _ texts: [String]) -> (text: String?, isUndecided: Bool) {
        var isUndecided = false
        for text in texts {
            let there = bytes[offset...].prefix(text.utf8.count)
            if there.elementsEqual(text.utf8) { return (text, false) }
            if there.count < text.utf8.count, text.utf8.starts(with: there) { isUndecided = true }
        }
        return (nil, isUndecided)
    }

    /// A text of any length up to an end, which is skipped; `nil` until the end has arrived.
    ///
    /// - Parameter counts: Decides by the text before an end whether it counts.
    mutating func takeValue(until end: String, where counts: (ArraySlice<UInt8>) -> Bool = { _ in true }) -> [UInt8]? {
        let wanted = Array(end.utf8)
        guard let offset = offset(of: wanted, where: counts) else { return nil }
        defer {
            position = offset + wanted.count
            searched = position
        }
        return Array(bytes[position..<offset])
    }

    /// Makes the next search begin behind a text; what is before it has still to be read.
    ///
    /// - Returns: Whether the text has arrived.
    mutating func searchBehind(_ text: [UInt8]) -> Bool {
        guard let offset = offset(of: text) else { return false }
        searched = offset + text.count
        return true
    }

    /// The offset of a text in what has not been searched; `nil` until it has arrived.
    private mutating func offset(
        of wanted: [UInt8], where counts: (ArraySlice<UInt8>) -> Bool = { _ in true }
    ) -> Int? {
        var offset = max(searched, position)
        while offset + wanted.count <= bytes.count {
            if bytes[offset] == wanted[0], bytes[offset...].starts(with: wanted), counts(bytes[position..<offset]) {
                return offset
            }
            offset += 1
        }
        searched = offset
        return nil
    }
}

extension UInt8 {
    /// Whether the byte is a space, a tab or an end of a line.
    var isASCIISpace: Bool { self == 0x20 || 0x09...0x0D ~= self }
}
