import LeapImages
import Synchronization

/// The tiles of a picture, which are made when the first of them is needed and kept until the last one was.
final class PictureTiles: Sendable {
    private let picture: Picture
    private let tiling: ImageTiling
    private let made = Mutex<[RGBImage]?>(nil)

    init(_ picture: Picture, _ tiling: ImageTiling) {
        self.picture = picture
        self.tiling = tiling
    }

    func tile(_ index: Int) throws -> RGBImage {
        try made.withLock { made in
            let tiles = try made ?? tiling.pictures(of: ImageDecoder.decode(picture.bytes))
            made = index == tiles.count - 1 ? nil : tiles
            return tiles[index]
        }
    }
}
