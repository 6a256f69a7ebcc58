/// Tracks whether code that arrives byte by byte is inside a string, where marks do not count.
///
/// Only string delimiters are examined; invalid code is not an error.
struct StringTracker: Sendable {
    private enum State: Sendable {
        case code
        case comment
        /// After the first or second of what may be three quotes.
        case opening(quote: UInt8, count: Int)
        /// `closing`: quotes so far of the three that end the string.
        case string(quote: UInt8, isTriple: Bool, closing: Int)
        case escape(quote: UInt8, isTriple: Bool)
    }

    private let strings: ToolCallMarks.Strings
    private var state = State.code
    /// Letters of a possible string prefix before the byte; `nil` after a word.
    private var prefixLength: Int? = 0

    init(_ strings: ToolCallMarks.Strings) {
        self.strings = strings
    }

    /// Whether the next byte would belong to a string.
    var isInString: Bool {
        switch state {
        case .code, .comment: false
        // Two quotes are an empty string, unless a third follows.
        case .opening(_, let count): count == 1
        case .string, .escape: true
        }
    }

    /// Takes the next byte.
    mutating func append(_ byte: UInt8) {
        switch state {
        case .code: appendCode(byte)
        case .comment: if byte == UInt8(ascii: "\n") { state = .code }
        case .opening(let quote, let count): appendOpening(byte, quote, count)
        case .string(let quote, let isTriple, let closing): appendString(byte, quote, isTriple, closing)
        case .escape(let quote, let isTriple): state = .string(quote: quote, isTriple: isTriple, closing: 0)
        }
    }

    private mutating func appendCode(_ byte: UInt8) {
        switch (byte, strings) {
        case (UInt8(ascii: "\""), .json): state = .string(quote: byte, isTriple: false, closing: 0)
        case (UInt8(ascii: "\""), .python), (UInt8(ascii: "'"), .python):
            // An apostrophe after a word does not begin a string.
            if prefixLength != nil { state = .opening(quote: byte, count: 1) }
        case (UInt8(ascii: "#"), .python): state = .comment
        default: break
        }
        trackPrefix(byte)
    }

    private mutating func trackPrefix(_ byte: UInt8) {
        guard PythonLexer.isNamePart(byte) else { return prefixLength = 0 }
        let isPrefix = "rbuf".utf8.contains(byte | 0x20)
        prefixLength = prefixLength.flatMap { isPrefix && $0 < 2 ? $0 + 1 : nil }
    }

    private mutating func appendOpening(_ byte: UInt8, _ quote: UInt8, _ count: Int) {
        switch (byte == quote, count) {
        case (true, 1): state = .opening(quote: quote, count: 2)
        case (true, _): state = .string(quote: quote, isTriple: true, closing: 0)
        case (false, 1):
            state = .string(quote: quote, isTriple: false, closing: 0)
            append(byte)
        case (false, _):
            state = .code
            prefixLength = 0
            append(byte)
        }
    }

    private mutating func appendString(_ byte: UInt8, _ quote: UInt8, _ isTriple: Bool, _ closing: Int) {
        if byte == UInt8(ascii: "\\") {
            state = .escape(quote: quote, isTriple: isTriple)
        } else if byte != quote {
            state = .string(quote: quote, isTriple: isTriple, closing: 0)
        } else if isTriple && closing < 2 {
            state = .string(quote: quote, isTriple: true, closing: closing + 1)
        } else {
            state = .code
            prefixLength = 0
        }
    }
}
