/// The pictures that an encoder is to see of one, by their sizes.
public struct ImageLayout: Sendable, Hashable {
    /// Tiles in a row, and rows of tiles.
    public struct Grid: Sendable, Hashable {
        /// Tiles in a row.
        public let columns: Int
        /// Rows of tiles.
        public let rows: Int
    }

    /// How the picture is cut; `nil` where it is seen as one.
    public let grid: Grid?
    /// The sizes, tiles row by row, then the small picture of the whole.
    public let pictures: [ImageSize]
    /// Whether the last one is the small picture of the whole.
    public let hasThumbnail: Bool
    /// Pixels on a side of what becomes one token.
    let factor: Int

    /// Tokens that a picture becomes.
    public func tokens(ofPicture index: Int) -> Int {
        pictures[index].width / factor * (pictures[index].height / factor)
    }

    /// Tokens that all of them become, without those around them.
    public var tokens: Int { pictures.indices.reduce(0) { $0 + tokens(ofPicture: $1) } }
}
