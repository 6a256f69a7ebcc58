/// The places at which SentencePiece's vocabularies put a space before text.
enum SpacePrefix: Sendable {
    case nowhere
    /// At the beginning and after every special token.
    case everywhere
    /// In the same places, unless the text begins with a space there.
    case whereMissing
    /// At the beginning, unless the text begins with a space.
    case atBeginning

    /// - Parameters:
    ///   - adds: Whether a space is put anywhere.
    ///   - scheme: Where, in the terms of Hugging Face's tokenizers; `nil` is everywhere.
    init(adds: Bool, scheme: String?) {
        switch scheme {
        case _ where !adds: self = .nowhere
        case "always"?: self = .whereMissing
        case "first"?: self = .atBeginning
        default: self = .everywhere
        }
    }

    /// Whether a space is put before a stretch of text that is the beginning or follows a special token.
    func isPut(before range: Range<Int>, of text: [UInt8]) -> Bool {
        switch self {
        case .nowhere: false
        case .everywhere: true
        case .whereMissing: !Self.isSpace(text[range])
        case .atBeginning: range.lowerBound == 0 && !Self.isSpace(text[range])
        }
    }

    /// Whether a text begins with a space, or with ▁, which is one.
    private static func isSpace(_ text: ArraySlice<UInt8>) -> Bool {
        text.first == 0x20 || text.starts(with: SentencePieceEncoder.space)
    }
}
