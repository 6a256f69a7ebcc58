import OrderedCollections

/// An incremental JSON parser. The value so far is available at any time.
///
/// Each byte is read once. Parsing stops at invalid JSON, or if it nests deeper than 512 levels: ``json`` then keeps
/// the value up to there, and parsing the complete text with `JSONValue(parsing:)` reports the error.
public struct PartialJSONParser: Sendable {
    private static let depthLimit = 512

    private enum State {
        /// Before a value.
        case value
        /// After `[`: a value or `]`.
        case firstElement
        /// After `{`: a key or `}`.
        case firstKey
        /// After a comma in an object.
        case key
        /// After a key.
        case colon
        /// Inside a key or a string.
        case string(isKey: Bool)
        /// Inside a number, or one of the three words.
        case number
        case word
        /// After a value.
        case separator
        /// After invalid JSON, possibly inside a string, whose beginning is kept.
        case malformed(inString: Bool = false)
    }

    /// An array or object that is not closed yet.
    fileprivate struct Frame {
        let isObject: Bool
        var elements: [JSONValue] = []
        var members: OrderedDictionary<String, JSONValue> = [:]
        /// The key of the member that is being written.
        var key: String?
    }

    private var state = State.value
    private var frames: [Frame] = []
    /// The outermost value, when it is complete.
    private var root: JSONValue?
    private var string = PartialJSONString()
    /// The characters of the number or word.
    private var scalar: [UInt8] = []

    /// Creates a parser at the start of a value.
    public init() {}

    /// Parses the next piece.
    public mutating func append(_ text: some StringProtocol) {
        for byte in text.utf8 { read(byte) }
    }

    /// Parses the next piece, given as UTF-8; it may end within a character.
    public mutating func append(utf8: some Sequence<UInt8>) {
        for byte in utf8 { read(byte) }
    }

    /// The value so far; `nil` before its first character. Takes time proportional to the number of members and
    /// elements in the values that are still open.
    public var json: PartialJSON? {
        if let root { return PartialJSON(root) }
        var last: PartialJSON?
        var levels = 0
        if let open = openString {
            last = PartialJSON(.string(open), openLevels: 1)
            levels = 1
        }
        for frame in frames.reversed() {
            levels += 1
            last = PartialJSON(frame.value(with: last?.value), openLevels: levels)
        }
        return last
    }

    /// Whether the value is complete.
    package var isComplete: Bool { root != nil }

    /// Whether the text so far is not JSON.
    package var isMalformed: Bool {
        if case .malformed = state { true } else { false }
    }

    private var openString: String? {
        switch state {
        case .string(isKey: false), .malformed(inString: true): string.text
        default: nil
        }
    }
}

// MARK: - Reading

extension PartialJSONParser {
    private mutating func read(_ byte: UInt8) {
        switch state {
        case .string(let isKey):
            readString(byte, isKey: isKey)
        case .number:
            if Self.continuesNumber(byte) { return scalar.append(byte) }
            endNumber()
            read(byte)
        case .word:
            readWord(byte)
        case .malformed:
            return
        case .value, .firstElement, .firstKey, .key, .colon, .separator:
            guard byte != 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 else { return }
            readToken(byte)
        }
    }

    private mutating func readToken(_ byte: UInt8) {
        switch (state, byte) {
        case (.firstElement, UInt8(ascii: "]")), (.firstKey, UInt8(ascii: "}")): close(byte)
        case (.value, _), (.firstElement, _): beginValue(byte)
        case (.firstKey, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")): beginString(isKey: true)
        case (.colon, UInt8(ascii: ":")): state = .value
        case (.separator, UInt8(ascii: ",")): separate()
        case (.separator, UInt8(ascii: "]")), (.separator, UInt8(ascii: "}")): close(byte)
        default: state = .malformed()
        }
    }

    private mutating func beginValue(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): beginString(isKey: false)
        case UInt8(ascii: "["): open(Frame(isObject: false), .firstElement)
        case UInt8(ascii: "{"): open(Frame(isObject: true), .firstKey)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            scalar = [byte]
            state = .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            scalar = []
            state = .word
            readWord(byte)
        default: state = .malformed()
        }
    }

    private mutating func beginString(isKey: Bool) {
        string = PartialJSONString()
        state = .string(isKey: isKey)
    }

    private mutating func readString(_ byte: UInt8, isKey: Bool) {
        switch string.read(byte) {
        case .continues: return
        case .isMalformed: state = .malformed(inString: !isKey)
        case .ends:
            guard isKey else { return end(.string(string.text)) }
            guard let top = frames.indices.last else { return state = .malformed() }
            frames[top].key = string.text
            state = .colon
        }
    }

    private mutating func readWord(_ byte: UInt8) {
        scalar.append(byte)
        switch String(decoding: scalar, as: UTF8.self) {
        case "true": end(.bool(true))
        case "false": end(.bool(false))
        case "null": end(.null)
        case let word where ["true", "false", "null"].contains { $0.hasPrefix(word) }: return
        default: state = .malformed()
        }
    }

    private static func continuesNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            true
        default: false
        }
    }

    private mutating func endNumber() {
        do { end(try JSONValue(parsing: scalar)) } catch { state = .malformed() }
    }
}

// MARK: - Nesting

extension PartialJSONParser {
    private mutating func open(_ frame: Frame, _ next: State) {
        guard frames.count < Self.depthLimit else { return state = .malformed() }
        frames.append(frame)
        state = next
    }

    private mutating func separate() {
        guard let frame = frames.last else { return state = .malformed() }
        state = frame.isObject ? .key : .value
    }

    private mutating func close(_ byte: UInt8) {
        guard let frame = frames.last, byte == UInt8(ascii: frame.isObject ? "}" : "]") else {
            return state = .malformed()
        }
        frames.removeLast()
        end(frame.value)
    }

    /// Adds a complete value to the innermost array or object.
    private mutating func end(_ value: JSONValue) {
        state = .separator
        guard let top = frames.indices.last else { return root = value }
        frames[top].add(value)
    }
}

extension PartialJSONParser.Frame {
    /// The array or object so far.
    fileprivate var value: JSONValue { isObject ? .object(members) : .array(elements) }

    /// Returns the array or object with the incomplete value as its last element or member.
    fileprivate func value(with last: JSONValue?) -> JSONValue {
        guard let last else { return value }
        var frame = self
        frame.add(last)
        return frame.value
    }

    /// Adds a member or element. A duplicate key moves to the position where it occurred last, so that the last member
    /// is the newest.
    fileprivate mutating func add(_ value: JSONValue) {
        guard isObject else { return elements.append(value) }
        guard let key else { return }
        members.removeValue(forKey: key)
        members[key] = value
        self.key = nil
    }
}
