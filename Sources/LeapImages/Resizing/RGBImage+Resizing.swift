extension RGBImage {
    /// The picture at another size, whose sides are at least 1, with the same bytes as Pillow's `Image.resize` up to
    /// version 12.
    ///
    /// Rows are resized first, then columns, each rounded to bytes; an axis that keeps its length is unchanged.
    public func resized(to target: ImageSize, filter: ResizeFilter = .bilinear) -> RGBImage {
        var image = self
        if target.width != width {
            let weights = FixedWeights(in: width, out: target.width, filter)
            image = RGBImage.painted(ImageSize(width: target.width, height: height)) {
                weights.resizeRows(of: self, into: $0)
            }
        }
        guard target.height != height else { return image }
        let weights = FixedWeights(in: height, out: target.height, filter)
        return RGBImage.painted(target) { weights.resizeColumns(of: image, into: $0) }
    }
}

/// Fixed-point weights in units of 2⁻²², whose sums are exact.
private struct FixedWeights {
    private let windows: [(first: Int, weights: [Int32])]

    private static let bits = 22
    private static let half: Int32 = 1 << (bits - 1)

    init(in inputs: Int, out outputs: Int, _ filter: ResizeFilter) {
        windows = ResamplingWeights(in: inputs, out: outputs, filter: filter).windows.map { window in
            (
                window.first,
                window.weights.map { Int32(($0 * Double(1 << Self.bits)).rounded(.toNearestOrAwayFromZero)) }
            )
        }
    }

    func resizeRows(of image: RGBImage, into target: UnsafeMutablePointer<UInt8>) {
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<image.height {
                let source = base + row * image.width * 3
                let line = target + row * windows.count * 3
                for (column, window) in windows.enumerated() {
                    resize(window, source + window.first * 3, into: line + column * 3)
                }
            }
        }
    }

    /// One pixel of a row.
    @inline(__always)
    private func resize(
        _ window: (first: Int, weights: [Int32]), _ source: UnsafePointer<UInt8>,
        into target: UnsafeMutablePointer<UInt8>
    ) {
        var (red, green, blue) = (Self.half, Self.half, Self.half)
        for (index, weight) in window.weights.enumerated() {
            let pixel = source + 3 * index
            red &+= weight &* Int32(pixel[0])
            green &+= weight &* Int32(pixel[1])
            blue &+= weight &* Int32(pixel[2])
        }
        (target[0], target[1], target[2]) = (Self.byte(red), Self.byte(green), Self.byte(blue))
    }

    func resizeColumns(of image: RGBImage, into target: UnsafeMutablePointer<UInt8>) {
        let width = image.width * 3
        var sums = [Int32](repeating: 0, count: width)
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for (row, window) in windows.enumerated() {
                for column in 0..<width { sums[column] = Self.half }
                for (index, weight) in window.weights.enumerated() {
                    let source = base + (window.first + index) * width
                    for column in 0..<width { sums[column] &+= weight &* Int32(source[column]) }
                }
                for column in 0..<width { target[row * width + column] = Self.byte(sums[column]) }
            }
        }
    }

    /// The nearest byte to a sum, clamped: a cubic filter's negative weights can exceed both ends.
    @inline(__always)
    private static func byte(_ sum: Int32) -> UInt8 { UInt8(max(0, min(255, sum >> Int32(bits)))) }
}
