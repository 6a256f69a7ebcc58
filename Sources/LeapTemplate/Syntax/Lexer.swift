import LeapJSON

/// Splits a template's source into tokens, one at a time.
///
/// Whitespace is handled as with `trim_blocks` and `lstrip_blocks`: a line break after a statement or comment is
/// removed, and so is the indentation before one that is first on its line. `-` in a tag strips all whitespace on that
/// side, `+` keeps it.
struct Lexer {
    enum Mode {
        case text, variable, block
    }

    let source: TemplateSource
    var position = 0
    var mode = Mode.text
    /// Expected closing brackets, innermost last.
    var brackets: [UInt8] = []
    /// The names and strings in tags so far.
    var words: Set<String> = []
    /// Whether everything since the last line break has been whitespace.
    private var isAtLineStart = true
    /// The tag that follows the text just returned.
    private var pending: Token?

    init(_ source: TemplateSource) {
        self.source = source
    }

    mutating func next() throws(Failure) -> Token {
        if let token = pending {
            pending = nil
            return token
        }
        return try mode == .text ? nextInText() : nextInTag()
    }

    var bytes: [UInt8] { source.bytes }

    func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    /// Whether the source continues with `text` at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        let end = offset + text.utf8CodeUnitCount
        return end <= bytes.count && text.withUTF8Buffer { $0.elementsEqual(bytes[offset..<end]) }
    }
}

// MARK: - Text between tags

extension Lexer {
    private mutating func nextInText() throws(Failure) -> Token {
        while position < bytes.count {
            let start = position
            guard let tag = firstTag(from: start) else {
                position = bytes.count
                return Token(kind: .data(source.text(start..<bytes.count)), offset: start)
            }
            let sign = sign(at: tag + 2)
            let text = stripped(start..<tag, sign: sign, isVariable: bytes[tag + 1] == UInt8(ascii: "{"))
            position = tag + (sign == nil ? 2 : 3)
            let content = try enterTag(at: tag)
            isAtLineStart = content.endsLine
            guard !text.isEmpty else {
                if let token = content.token { return token }
                continue
            }
            pending = content.token
            return Token(kind: .data(source.text(text)), offset: start)
        }
        return Token(kind: .end, offset: bytes.count)
    }

    /// The offset of the next `{{`, `{%` or `{#`.
    private func firstTag(from start: Int) -> Int? {
        var offset = start
        while offset + 1 < bytes.count {
            if bytes[offset] == UInt8(ascii: "{") {
                switch bytes[offset + 1] {
                case UInt8(ascii: "{"), UInt8(ascii: "%"), UInt8(ascii: "#"): return offset
                default: break
                }
            }
            offset += 1
        }
        return nil
    }

    private func sign(at offset: Int) -> UInt8? {
        guard offset < bytes.count else { return nil }
        return bytes[offset] == UInt8(ascii: "-") || bytes[offset] == UInt8(ascii: "+") ? bytes[offset] : nil
    }

    /// The part of the text before a tag that is left after stripping.
    private func stripped(_ text: Range<Int>, sign: UInt8?, isVariable: Bool) -> Range<Int> {
        if sign == UInt8(ascii: "-") { return text.lowerBound..<endWithoutWhitespace(text) }
        guard sign == nil, !isVariable else { return text }
        let lineBreak = bytes[text].lastIndex(of: UInt8(ascii: "\n"))
        guard lineBreak != nil || isAtLineStart else { return text }
        let lineStart = lineBreak.map { $0 + 1 } ?? text.lowerBound
        return endWithoutWhitespace(lineStart..<text.upperBound) == lineStart ? text.lowerBound..<lineStart : text
    }

    private func endWithoutWhitespace(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            var start = end - 1
            while start > range.lowerBound, UTF8Text.isContinuation(bytes[start]) { start -= 1 }
            guard scalar(at: start).isPythonSpace else { break }
            end = start
        }
        return end
    }

    /// Moves into the tag at `tag`, or past it if it is a comment.
    private mutating func enterTag(at tag: Int) throws(Failure) -> (token: Token?, endsLine: Bool) {
        switch bytes[tag + 1] {
        case UInt8(ascii: "{"):
            mode = .variable
            return (Token(kind: .variableBegin, offset: tag), false)
        case UInt8(ascii: "#"):
            return (nil, try skipComment(at: tag))
        default:
            if let raw = try rawText(at: tag) { return raw }
            mode = .block
            return (Token(kind: .blockBegin, offset: tag), false)
        }
    }

    /// Skips to the end of a comment; returns whether a line ended with it.
    private mutating func skipComment(at tag: Int) throws(Failure) -> Bool {
        // Jinja accepts a comment that opens at the very end of the source.
        guard position < bytes.count else { return false }
        guard let end = first("#}", from: position) else {
            throw .syntax("unterminated comment. Close it with '#}'", at: tag)
        }
        let sign = end > position ? sign(at: end - 1) : nil
        position = end + 2
        return closeTag(sign: sign, trimsLineBreak: true)
    }

    /// The offset of the first `mark` at or after `start`.
    private func first(_ mark: StaticString, from start: Int) -> Int? {
        (start..<max(start, bytes.count)).first { has(mark, at: $0) }
    }

    /// Strips the whitespace after a closing tag; returns whether a line ended with it.
    private mutating func closeTag(sign: UInt8?, trimsLineBreak: Bool) -> Bool {
        if sign == UInt8(ascii: "-") {
            let start = position
            skipWhitespace()
            return position > start && bytes[position - 1] == UInt8(ascii: "\n")
        }
        guard sign == nil, trimsLineBreak, peek() == UInt8(ascii: "\n") else { return false }
        position += 1
        return true
    }
}

// MARK: - Raw blocks

extension Lexer {
    /// The text of the raw block that begins at `tag`, whose `{%` has just been read; nil if this is another tag.
    private mutating func rawText(at tag: Int) throws(Failure) -> (token: Token?, endsLine: Bool)? {
        guard var start = end(of: "raw", from: position) else { return nil }
        if has("-%}", at: start) {
            position = start + 3
            skipWhitespace()
            start = position
        } else if has("%}", at: start) {
            start += 2
        } else {
            return nil
        }
        isAtLineStart = bytes[start - 1] == UInt8(ascii: "\n")
        guard start < bytes.count else {
            position = start
            return (nil, false)
        }
        var search = start
        while let open = first("{%", from: search) {
            let sign = sign(at: open + 2)
            if let close = end(of: "endraw", from: open + (sign == nil ? 2 : 3)),
                let endsLine = closeRaw(at: close)
            {
                let text = stripped(start..<open, sign: sign, isVariable: false)
                let token = text.isEmpty ? nil : Token(kind: .data(source.text(text)), offset: start)
                return (token, endsLine)
            }
            search = open + 1
        }
        throw .syntax("unterminated raw block. Close it with '{% endraw %}'", at: tag)
    }

    /// Where `word`, with whitespace around it, ends.
    private func end(of word: StaticString, from start: Int) -> Int? {
        let wordStart = endOfWhitespace(from: start)
        guard has(word, at: wordStart) else { return nil }
        return endOfWhitespace(from: wordStart + word.utf8CodeUnitCount)
    }

    private mutating func closeRaw(at offset: Int) -> Bool? {
        let sign = sign(at: offset)
        guard has("%}", at: offset + (sign == nil ? 0 : 1)) else { return nil }
        position = offset + (sign == nil ? 2 : 3)
        return closeTag(sign: sign, trimsLineBreak: true)
    }
}

// MARK: - Inside tags

extension Lexer {
    private mutating func nextInTag() throws(Failure) -> Token {
        skipWhitespace()
        let start = position
        guard position < bytes.count else { return Token(kind: .end, offset: start) }
        if brackets.isEmpty, let end = closingTag() { return end }
        return Token(kind: try nextInExpression(), offset: start)
    }

    /// The end of this tag, if it is here.
    private mutating func closingTag() -> Token? {
        let start = position
        let isBlock = mode == .block
        let sign = peek() == UInt8(ascii: "-") || isBlock ? sign(at: start) : nil
        let mark = start + (sign == nil ? 0 : 1)
        guard isBlock ? has("%}", at: mark) : has("}}", at: mark) else { return nil }
        position = mark + 2
        mode = .text
        isAtLineStart = closeTag(sign: sign, trimsLineBreak: isBlock)
        return Token(kind: isBlock ? .blockEnd : .variableEnd, offset: start)
    }

    mutating func skipWhitespace() {
        position = endOfWhitespace(from: position)
    }

    private func endOfWhitespace(from start: Int) -> Int {
        var offset = start
        while offset < bytes.count {
            let scalar = scalar(at: offset)
            guard scalar.isPythonSpace else { break }
            offset += UTF8.width(scalar)
        }
        return offset
    }

    /// The scalar whose first byte is at `offset`.
    func scalar(at offset: Int) -> Unicode.Scalar {
        let byte = bytes[offset]
        if byte < 0x80 { return Unicode.Scalar(byte) }
        var iterator = bytes[offset...].prefix(4).makeIterator()
        var decoder = UTF8()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return "\u{FFFD}" }
        return scalar
    }
}
