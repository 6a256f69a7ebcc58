/// The effect of each token inside a JSON string that may contain any text: most stay inside, some close it.
///
/// This is the same for all such strings, so that only what may follow its closing quote must be computed for each
/// string.
struct StringTokens: Sendable {
    /// Tokens after which the string continues.
    private(set) var inside: TokenMask
    /// Tokens that end with the string's closing quote.
    private(set) var closing: TokenMask
    /// Tokens that are permitted only where `\/` stands for a slash.
    private(set) var slashed: [Int32] = []
    /// Tokens that continue after the quote, keyed by their bytes after it.
    let remainders: TokenTrie

    /// Tokens sorted by the number of characters that they add to the string, in descending order.
    private var descending: [(token: Int32, length: Int32)] = []
    /// Closing tokens sorted by the number of characters that they add before the quote, in ascending order.
    private var ascending: [(token: Int32, length: Int32)] = []

    init(plain: [TokenPiece], special: [TokenPiece], of texts: TokenTexts) {
        inside = TokenMask(count: texts.count)
        closing = TokenMask(count: texts.count)
        for piece in plain {
            inside.insert(piece.token)
            descending.append((piece.token, Int32(texts[piece].count { UTF8Ranges.isLeading($0) })))
        }
        var remainders: [TokenPiece] = []
        for piece in special {
            guard let (length, end) = Self.read(texts[piece]) else { continue }
            if Self.read(texts[piece], escapesSlash: false) == nil { slashed.append(piece.token) }
            descending.append((piece.token, length))
            guard let end else {
                inside.insert(piece.token)
                continue
            }
            ascending.append((piece.token, length))
            if end == piece.count {
                closing.insert(piece.token)
            } else {
                remainders.append(TokenPiece(token: piece.token, start: piece.start + Int32(end), end: piece.end))
            }
        }
        self.remainders = TokenTrie(remainders, of: texts)
        descending.sort { $0.length > $1.length }
        ascending.sort { $0.length < $1.length }
    }

    /// The number of characters that a token adds, and where it closes the string, if it does; nil if it is not
    /// permitted.
    private static func read(
        _ bytes: ArraySlice<UInt8>, escapesSlash: Bool = true
    ) -> (length: Int32, end: Int?)? {
        let string = StringNode(content: 0, minimum: Int(Int32.max), maximum: nil)
        let context = TextContent.Context(automaton: .anyText, string: string, escapesSlash: escapesSlash)
        var text = QuotedText(content: TextContent(), place: .inside)
        for (index, byte) in bytes.enumerated() {
            let isBetweenCharacters = text.place == .inside && text.content.state == ByteAutomaton.start
            if byte == UInt8(ascii: "\""), isBetweenCharacters { return (Int32(text.content.count), index + 1) }
            guard case .inside(let next) = text.step(byte, context) else { return nil }
            text = next
        }
        // An escape sequence in progress will be one more character.
        return (Int32(text.content.count + (text.place == .inside ? 0 : 1)), nil)
    }

    /// Removes from a mask for a string of any length the tokens that do not fit `minimum` to `maximum` more
    /// characters.
    func restrict(_ mask: inout TokenMask, minimum: Int, maximum: Int?) {
        if let maximum {
            for (token, length) in descending {
                guard length > maximum else { break }
                mask.remove(token)
            }
        }
        for (token, length) in ascending {
            guard length < minimum else { break }
            mask.remove(token)
        }
    }
}
