import Dispatch
import LeapImages
import Synchronization

/// The tiles of a picture while a queue's thread makes them, so that the scheduler's need not.
///
/// Whoever waits for it keeps it: nothing is decoded once nobody does, except what was begun, which is finished.
final class PictureDecoding: Sendable {
    private let picture: Picture
    private let tiling: ImageTiling
    private let result = Mutex<Result<[RGBImage], ImageError>?>(nil)
    private let isMade = DispatchSemaphore(value: 0)

    /// Decodes a picture after those that are in the queue already.
    init(_ picture: Picture, _ tiling: ImageTiling, on queue: DispatchQueue) {
        self.picture = picture
        self.tiling = tiling
        queue.async { [weak self] in self?.run() }
    }

    /// Whether there are tiles, or an error.
    var isDone: Bool { result.withLock { $0 != nil } }

    /// The tiles; `nil` if they are not there within some time.
    func tiles(within time: DispatchTimeInterval) throws(ImageError) -> [RGBImage]? {
        if !isDone, isMade.wait(timeout: .now() + time) == .success {
            // For the next one who waits.
            isMade.signal()
        }
        return try result.withLock(\.self)?.get()
    }

    private func run() {
        let made = Result { () throws(ImageError) in tiling.pictures(of: try ImageDecoder.decode(picture.bytes)) }
        result.withLock { $0 = made }
        isMade.signal()
    }
}
