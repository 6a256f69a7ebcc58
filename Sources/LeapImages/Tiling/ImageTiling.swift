/// How a picture is prepared for an image encoder: resized to a size that the encoder was trained with or, if that
/// would lose too much detail, cut into tiles, followed by a thumbnail.
///
/// Source: the image processor of LFM2-VL (Liquid AI 2025), whose roundings are followed to the pixel.
public struct ImageTiling: Sendable, Hashable {
    /// The side of a patch in pixels.
    public let patch: Int
    /// The side in pixels of the area that becomes one token.
    public let factor: Int
    /// The side of a tile in pixels.
    public let tile: Int
    /// The minimum and maximum number of tokens of a picture that is encoded as a whole.
    public let tokens: ClosedRange<Int>
    /// The minimum and maximum number of tiles of a picture that is split.
    public let tiles: ClosedRange<Int>
    /// A picture is split if it has more than this multiple of the maximum number of tokens.
    public let tolerance: Double
    /// Whether large pictures are split.
    public let splits: Bool
    /// Whether a thumbnail follows the tiles.
    public let thumbnail: Bool
    /// How colours are interpolated.
    public let filter: ResizeFilter
    /// How a picture that is split is fitted to the aspect ratio of its grid.
    public let fit: GridFit

    /// The parameters with which LFM2-VL was trained, some of which can be changed.
    ///
    /// - Parameters:
    ///   - patch: The side of a patch in pixels; at least 1.
    ///   - unshuffle: The side, in patches, of the area that becomes one token; at least 1.
    ///   - tokens: The range of tokens of a picture that is encoded as a whole; at least 1.
    ///   - tiles: The range of tiles of a picture that is split; at least 1.
    public init(
        patch: Int = 16, unshuffle: Int = 2, tile: Int = 512, tokens: ClosedRange<Int> = 64...256,
        tiles: ClosedRange<Int> = 2...10, tolerance: Double = 2, splits: Bool = true, thumbnail: Bool = true,
        filter: ResizeFilter = .bilinear, fit: GridFit = .stretched
    ) {
        self.patch = max(1, patch)
        factor = self.patch * max(1, unshuffle)
        // A tile is a whole number of tokens.
        self.tile = max(factor, tile / factor * factor)
        self.tokens = max(1, tokens.lowerBound)...max(1, tokens.upperBound)
        self.tiles = max(1, tiles.lowerBound)...max(1, tiles.upperBound)
        self.tolerance = tolerance
        self.splits = splits
        self.thumbnail = thumbnail
        self.filter = filter
        self.fit = fit
    }

    /// The sizes of the tiles for a picture of the given size, whose sides are at least 1.
    public func layout(of size: ImageSize) -> ImageLayout {
        guard splits, isTooLarge(size) else {
            return ImageLayout(grid: nil, pictures: [resizedSize(of: size)], hasThumbnail: false, factor: factor)
        }
        let grid = grid(for: size)
        let tiles = Array(repeating: ImageSize(width: tile, height: tile), count: grid.columns * grid.rows)
        let hasThumbnail = thumbnail && tiles.count > 1
        return ImageLayout(
            grid: grid, pictures: tiles + (hasThumbnail ? [resizedSize(of: size)] : []), hasThumbnail: hasThumbnail,
            factor: factor)
    }

    /// The pictures to encode, in the sizes of ``layout(of:)``. Tiles fill their grid whatever the picture's aspect
    /// ratio, as ``fit`` determines.
    public func pictures(of image: RGBImage) -> [RGBImage] {
        let layout = layout(of: image.size)
        guard let grid = layout.grid else { return [image.resized(to: layout.pictures[0], filter: filter)] }
        let area = ImageSize(width: grid.columns * tile, height: grid.rows * tile)
        let whole =
            switch fit {
            case .stretched: image.resized(to: area, filter: filter)
            case .letterboxed: image.letterboxed(in: area, filter: filter)
            }
        var pictures = (0..<grid.columns * grid.rows).map {
            whole.cropped(
                x: $0 % grid.columns * tile, y: $0 / grid.columns * tile, to: ImageSize(width: tile, height: tile))
        }
        if layout.hasThumbnail, let size = layout.pictures.last {
            pictures.append(image.resized(to: size, filter: filter))
        }
        return pictures
    }
}

// MARK: - Sizes

extension ImageTiling {
    /// The number of pixels for `tokens` tokens.
    private func pixels(of tokens: Int) -> Double { Double(tokens * factor * factor) }

    /// The nearest multiple of a token's side, with ties to even, as in Python.
    private func rounded(_ side: Int, atLeast least: Int) -> Int {
        max(least, factor * Int((Double(side) / Double(factor)).rounded(.toNearestOrEven)))
    }

    /// The size of a picture that is encoded as a whole: whole tokens, within the limits, approximately preserving the
    /// aspect ratio. Of a picture so thin that its short side is less than a token, the long one is cut to the limit.
    func resizedSize(of size: ImageSize) -> ImageSize {
        let (width, height) = (rounded(size.width, atLeast: factor), rounded(size.height, atLeast: factor))
        let area = Double(size.height) * Double(size.width)
        let (most, fewest) = (pixels(of: tokens.upperBound), pixels(of: tokens.lowerBound))
        if Double(height) * Double(width) > most {
            let shrinking = (area / most).squareRoot()
            func shrunk(_ side: Int) -> Int {
                limited(Int((Double(side) / shrinking / Double(factor)).rounded(.down)) * factor)
            }
            return ImageSize(width: shrunk(size.width), height: shrunk(size.height))
        }
        guard Double(height) * Double(width) < fewest else { return ImageSize(width: width, height: height) }
        let growing = (fewest / area).squareRoot()
        func grown(_ side: Int) -> Int {
            limited(Int((Double(side) * growing / Double(factor)).rounded(.up)) * factor)
        }
        return ImageSize(width: grown(size.width), height: grown(size.height))
    }

    /// A side of at least one token, and of no more than a picture may have in all.
    private func limited(_ side: Int) -> Int { min(max(factor, side), tokens.upperBound * factor) }

    private func isTooLarge(_ size: ImageSize) -> Bool {
        let (width, height) = (rounded(size.width, atLeast: patch), rounded(size.height, atLeast: patch))
        return Double(width) * Double(height) > pixels(of: tokens.upperBound) * tolerance
    }

    /// The grid whose aspect ratio is nearest to the picture's. Of two equally near ones, the larger if the picture
    /// covers more than half of it.
    private func grid(for size: ImageSize) -> ImageLayout.Grid {
        let proportion = Double(size.width) / Double(size.height)
        let area = Double(size.width) * Double(size.height)
        var best = (grid: ImageLayout.Grid(columns: 1, rows: 1), distance: Double.infinity)
        for grid in grids {
            let distance = abs(proportion - Double(grid.columns) / Double(grid.rows))
            let fills = area > 0.5 * Double(tile * tile * grid.columns * grid.rows)
            if distance < best.distance || (distance == best.distance && fills) { best = (grid, distance) }
        }
        return best.grid
    }

    /// All grids, sorted by the number of tiles, then by columns.
    private var grids: [ImageLayout.Grid] {
        tiles.flatMap { count in
            (1...count).filter { count.isMultiple(of: $0) }.map { ImageLayout.Grid(columns: $0, rows: count / $0) }
        }
    }
}
