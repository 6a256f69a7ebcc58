/// How a row of a PNG file was made easier to compress: each byte is stored less a prediction from the bytes to the left,
/// above, and above the left one. Source: section 9.2.
enum PNGFilter: UInt8 {
    case none, sub, up, average, paeth

    /// Adds the predictions again, modulo 256. Left of the first pixel, and above the first row, there is zero.
    ///
    /// - Parameters:
    ///   - row: A row without the byte that names the filter.
    ///   - above: The row before, of the same length.
    ///   - pixelBytes: How many bytes back the pixel to the left is.
    func undo(_ row: UnsafeMutableBufferPointer<UInt8>, above: UnsafeBufferPointer<UInt8>, pixelBytes: Int) {
        let beginning = min(pixelBytes, row.count)
        switch self {
        case .none: break
        case .sub:
            for i in beginning..<row.count { row[i] &+= row[i - pixelBytes] }
        case .up:
            for i in 0..<row.count { row[i] &+= above[i] }
        case .average:
            for i in 0..<beginning { row[i] &+= above[i] / 2 }
            for i in beginning..<row.count {
                row[i] &+= UInt8((UInt16(row[i - pixelBytes]) + UInt16(above[i])) / 2)
            }
        case .paeth:
            // With zero to the left, what is above is always nearest.
            for i in 0..<beginning { row[i] &+= above[i] }
            for i in beginning..<row.count {
                row[i] &+= Self.nearest(left: row[i - pixelBytes], above: above[i], corner: above[i - pixelBytes])
            }
        }
    }

    /// The one of three neighbours that is nearest to left + above − corner; in case of doubt the first.
    @inline(__always)
    private static func nearest(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let toLeft = abs(Int16(above) - Int16(corner))
        let toAbove = abs(Int16(left) - Int16(corner))
        let toCorner = abs(Int16(left) + Int16(above) - 2 * Int16(corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}
