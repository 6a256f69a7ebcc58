/// How large a picture may be. A small file can claim any size; limits are checked before memory is allocated.
public struct ImageLimits: Sendable, Hashable {
    /// The longest side, in pixels.
    public let maxSide: Int
    /// The most pixels.
    public let maxPixels: Int

    /// 16,384 pixels per side and 50 million in total, which is 150 MB.
    public static let standard = ImageLimits(maxSide: 16_384, maxPixels: 50_000_000)

    /// These limits.
    public init(maxSide: Int, maxPixels: Int) {
        self.maxSide = maxSide
        self.maxPixels = maxPixels
    }

    /// Rejects pictures without pixels, or with too many.
    func check(_ size: ImageSize, of format: ImageFormat) throws(ImageError) {
        guard size.width > 0, size.height > 0 else { throw .noPixels(format: format, size: size) }
        guard max(size.width, size.height) <= maxSide, size.width <= maxPixels / size.height else {
            throw .tooLarge(format: format, size: size, limits: self)
        }
    }
}
