import LeapGeneration
import LeapModels

/// The rows of a tile while they are made. Rows that were made lately are found again; others are made of its pixels, a layer
/// at a time.
final class TileEncoding: MediaEncoding {
    private let vision: Vision
    private let tiles: PictureTiles
    private let index: Int
    private let digest: [UInt8]
    /// While the picture is decoded.
    private var decoding: PictureDecoding?
    /// `nil` until the picture is decoded.
    private var encoding: PictureEncoding?

    init(_ vision: Vision, _ tiles: PictureTiles, _ index: Int, _ digest: [UInt8]) {
        self.vision = vision
        self.tiles = tiles
        self.index = index
        self.digest = digest
    }

    var progress: Double { encoding?.progress ?? 0 }

    var isWaiting: Bool { decoding.map { !$0.isDone } ?? false }

    func advance(_ isCancelled: () -> Bool) throws -> [[Float]]? {
        guard let encoding else {
            if let rows = vision.knownRows(digest) { return rows }
            if let tile = try tiles.tile(index, &decoding) { encoding = try vision.begin(tile) }
            return nil
        }
        do throws(ModelError) {
            guard let rows = try encoding.advance(shouldContinue: { !isCancelled() }) else { return nil }
            vision.store(rows, digest)
            return rows
        } catch .cancelled {
            return nil
        }
    }
}
