import Dispatch
import LeapImages
import Synchronization

/// The tiles of a picture, which are made when the first of them is needed and kept until the last one was.
final class PictureTiles: Sendable {
    private let picture: Picture
    private let number: Int
    private let tiling: ImageTiling
    private let queue: DispatchQueue
    private let made = Mutex<[RGBImage]?>(nil)

    /// How long to wait for tiles before others have their turn.
    private static let patience = DispatchTimeInterval.milliseconds(2)

    /// - Parameters:
    ///   - number: The picture's, for errors.
    ///   - queue: Where it is decoded, after other pictures.
    init(_ picture: Picture, number: Int, _ tiling: ImageTiling, on queue: DispatchQueue) {
        self.picture = picture
        self.number = number
        self.tiling = tiling
        self.queue = queue
    }

    /// A tile; `nil` if the picture is not decoded yet.
    ///
    /// - Parameter decoding: What the caller waits for until then: begun if needed, and kept by the caller.
    /// - Throws: ``EngineError/picture(number:_:)``.
    func tile(_ index: Int, _ decoding: inout PictureDecoding?) throws(EngineError) -> RGBImage? {
        if let tile = made.withLock({ Self.take(index, of: &$0) }) { return tile }
        let current = decoding ?? PictureDecoding(picture, tiling, on: queue)
        decoding = current
        let tiles: [RGBImage]?
        do { tiles = try current.tiles(within: Self.patience) } catch { throw .picture(number: number, error) }
        guard tiles != nil else { return nil }
        decoding = nil
        return made.withLock {
            $0 = tiles
            return Self.take(index, of: &$0)
        }
    }

    private static func take(_ index: Int, of made: inout [RGBImage]?) -> RGBImage? {
        guard let tiles = made else { return nil }
        if index == tiles.count - 1 { made = nil }
        return tiles[index]
    }
}
