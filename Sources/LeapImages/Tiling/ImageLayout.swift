/// The pictures that an encoder gets for one picture, by their sizes.
public struct ImageLayout: Sendable, Hashable {
    /// Tiles in a row, and rows of tiles.
    public struct Grid: Sendable, Hashable {
        /// Tiles in a row.
        public let columns: Int
        /// Rows of tiles.
        public let rows: Int
    }

    /// How the picture is split; `nil` if it is encoded as a whole.
    public let grid: Grid?
    /// The sizes: tiles row by row, then the thumbnail.
    public let pictures: [ImageSize]
    /// Whether the last one is the thumbnail.
    public let hasThumbnail: Bool
    /// The side in pixels of the area that becomes one token.
    let factor: Int

    /// The number of tokens of a picture.
    public func tokens(ofPicture index: Int) -> Int {
        pictures[index].width / factor * (pictures[index].height / factor)
    }

    /// The number of tokens of all pictures, without the tokens around them.
    public var tokens: Int { pictures.indices.reduce(0) { $0 + tokens(ofPicture: $1) } }
}
