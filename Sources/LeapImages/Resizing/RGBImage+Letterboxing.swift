extension RGBImage {
    /// The picture with its aspect ratio preserved, scaled to fit, in the centre of a black picture of another size.
    ///
    /// - Parameters:
    ///   - area: The new size, whose sides are at least 1.
    ///   - filter: How colours are interpolated.
    func letterboxed(in area: ImageSize, filter: ResizeFilter) -> RGBImage {
        guard area != size else { return self }
        // In 32-bit floats, so that sides are rounded up where llama.cpp rounds them up.
        let scale = min(Float(area.width) / Float(width), Float(area.height) / Float(height))
        func scaled(_ side: Int, atMost most: Int) -> Int {
            max(1, min(Int((Float(side) * scale).rounded(.up)), most))
        }
        let inner = resized(
            to: ImageSize(width: scaled(width, atMost: area.width), height: scaled(height, atMost: area.height)),
            filter: filter)
        let (left, top) = ((area.width - inner.width) / 2, (area.height - inner.height) / 2)
        return RGBImage.painted(area) { target in
            for row in 0..<inner.height {
                inner.row(row).withUnsafeBufferPointer { source in
                    guard let base = source.baseAddress else { return }
                    (target + ((top + row) * area.width + left) * 3).update(from: base, count: source.count)
                }
            }
        }
    }

    /// The bytes of one row.
    func row(_ index: Int) -> ArraySlice<UInt8> { pixels[index * width * 3..<(index + 1) * width * 3] }
}
