import LeapGeneration
import LeapImages
public import LeapTokenizer

/// What a model reads of a picture, for tools that compare it with what other implementations make of the same.
public struct PictureRows: Sendable {
    /// A tile, or the picture as a whole.
    public struct Tile: Sendable {
        /// Pixels in a row, once resized.
        public let width: Int
        /// Rows of pixels.
        public let height: Int
        /// Rows of embeddings that it becomes, each in the place of a token.
        public let tokens: Int
    }

    /// Pixels in a row, as the picture is held.
    public let width: Int
    /// Rows of pixels.
    public let height: Int
    /// Tiles in a row, and rows of tiles; `nil` if the picture is seen as one.
    public let grid: (columns: Int, rows: Int)?
    /// Whether the last tile is a small picture of the whole.
    public let hasThumbnail: Bool
    /// Row by row of the grid.
    public let tiles: [Tile]
    /// The tokens that replace the picture, with `Prompt.noToken` for every row.
    public let tokens: [Token]
    /// `[tiles' tokens, embeddingLength]`: row by row of every tile, tile by tile.
    public let rows: [[Float]]
}

extension LoadedModel {
    /// What the model reads of a picture.
    ///
    /// - Throws: ``EngineError/seesNoPictures``, or what is wrong with the picture.
    public func rows(of picture: Picture) throws -> PictureRows {
        guard let vision else { throw EngineError.seesNoPictures }
        return try vision.rows(of: picture)
    }
}

extension Vision {
    fileprivate func rows(of picture: Picture) throws -> PictureRows {
        let size = try ImageDecoder.header(of: picture.bytes).size
        var prompt = Prompt()
        let layout = try append(picture, number: 1, to: &prompt)
        return PictureRows(
            width: size.width, height: size.height, grid: layout.grid.map { ($0.columns, $0.rows) },
            hasThumbnail: layout.hasThumbnail,
            tiles: layout.pictures.indices.map {
                PictureRows.Tile(
                    width: layout.pictures[$0].width, height: layout.pictures[$0].height,
                    tokens: layout.tokens(ofPicture: $0))
            },
            tokens: prompt.tokens, rows: try media(of: picture, number: 1, layout).flatMap { try $0.rows() })
    }
}
