/// A picture: three bytes per pixel, red, green and blue, row by row from the top, without padding.
public struct RGBImage: Sendable, Equatable {
    /// Width and height.
    public let size: ImageSize
    /// `[height, width, 3]`.
    public let pixels: [UInt8]

    /// A picture of these pixels; `nil` if a side is below 1 or the count of bytes is not `width · height · 3`.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        guard width > 0, height > 0 else { return nil }
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels.count % 3 == 0, pixels.count / 3 == count else { return nil }
        self.init(size: ImageSize(width: width, height: height), trusted: pixels)
    }

    /// A picture whose byte count the caller guarantees.
    init(size: ImageSize, trusted pixels: [UInt8]) {
        self.size = size
        self.pixels = pixels
    }

    /// Pixels in a row.
    public var width: Int { size.width }
    /// Rows.
    public var height: Int { size.height }
}

extension RGBImage {
    /// A picture of this size whose bytes a function writes; they are initially zero, which is black.
    static func painted(_ size: ImageSize, by paint: (UnsafeMutablePointer<UInt8>) -> Void) -> RGBImage {
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 3)
        pixels.withUnsafeMutableBufferPointer { buffer in
            if let base = buffer.baseAddress { paint(base) }
        }
        return RGBImage(size: size, trusted: pixels)
    }

    /// The part that begins at a pixel. It is clipped to the picture and may therefore be smaller than requested, but
    /// not smaller than one pixel.
    public func cropped(x: Int, y: Int, to part: ImageSize) -> RGBImage {
        let left = min(max(x, 0), width - 1)
        let top = min(max(y, 0), height - 1)
        let columns = min(max(part.width, 1), width - left)
        let rows = min(max(part.height, 1), height - top)
        var cut: [UInt8] = []
        cut.reserveCapacity(columns * rows * 3)
        for row in top..<top + rows {
            let start = (row * width + left) * 3
            cut += pixels[start..<start + columns * 3]
        }
        return RGBImage(size: ImageSize(width: columns, height: rows), trusted: cut)
    }
}
