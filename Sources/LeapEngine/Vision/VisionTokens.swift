import LeapGeneration
import LeapTokenizer

/// The tokens that are the placeholder of an image, and that surround its rows. Vocabularies have them under these names,
/// with different ids.
struct VisionTokens: Sendable {
    /// The placeholder of an image in templates.
    static let place = "<image>"
    private static let names = (start: "<|image_start|>", end: "<|image_end|>", thumbnail: "<|img_thumbnail|>")

    private let place: Token
    private let start: Token
    private let end: Token
    /// The tokens in front of tiles, row by row, and in front of the thumbnail; `nil` if the vocabulary lacks some of
    /// them, in which case images are never split into tiles.
    private let tiles: Tiles?

    private struct Tiles {
        /// The most rows, and the most columns.
        let side: Int
        let tokens: [Token]
        let thumbnail: Token

        init?(_ tokenizer: Tokenizer, side: Int) {
            tokens = (1...side).flatMap { row in
                (1...side).compactMap { tokenizer.token(for: "<|img_row_\(row)_col_\($0)|>") }
            }
            guard tokens.count == side * side, let thumbnail = tokenizer.token(for: names.thumbnail) else { return nil }
            (self.side, self.thumbnail) = (side, thumbnail)
        }
    }

    /// - Parameter side: The most rows of tiles, and the most columns.
    /// - Throws: ``EngineError/missingPictureTokens(_:)``.
    init(_ tokenizer: Tokenizer, side: Int) throws(EngineError) {
        let names = [Self.place, Self.names.start, Self.names.end]
        let tokens = names.compactMap { tokenizer.token(for: $0) }
        guard tokens.count == names.count else {
            throw .missingPictureTokens(names.filter { tokenizer.token(for: $0) == nil })
        }
        (place, start, end) = (tokens[0], tokens[1], tokens[2])
        tiles = Tiles(tokenizer, side: side)
    }

    /// Whether the vocabulary can tell tiles from each other.
    var knowTiles: Bool { tiles != nil }

    /// Pictures that some tokens have a place for.
    func places(in tokens: [Token]) -> Int { tokens.count { $0 == place } }

    /// The tokens between the places of pictures.
    func split(_ tokens: [Token]) -> [ArraySlice<Token>] {
        tokens.split(separator: place, omittingEmptySubsequences: false)
    }

    /// Adds a picture's rows with the tokens around them.
    ///
    /// - Parameter columns: Tiles in a row; `nil` if the picture is one.
    func append(_ media: [PromptMedia], columns: Int?, hasThumbnail: Bool, to prompt: inout Prompt) {
        prompt.append([start])
        for (index, rows) in media.enumerated() {
            if let columns, let tiles {
                let isThumbnail = hasThumbnail && index == media.count - 1
                let tile = index / columns * tiles.side + index % columns
                prompt.append([isThumbnail ? tiles.thumbnail : tiles.tokens[tile]])
            }
            prompt.append(rows)
        }
        prompt.append([end])
    }
}
