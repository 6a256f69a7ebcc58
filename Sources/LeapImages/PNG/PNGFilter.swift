/// The filter of a PNG row, which improves compression: each byte is stored as the difference from a prediction by the
/// bytes to the left, above, and above left. Source: section 9.2.
enum PNGFilter: UInt8 {
    case none, sub, up, average, paeth

    /// Adds the predictions back, modulo 256. Left of the first pixel and above the first row, bytes count as zero.
    ///
    /// - Parameters:
    ///   - row: A row without the byte that names the filter.
    ///   - above: The previous row, of the same length.
    ///   - pixelBytes: The distance in bytes to the pixel on the left.
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
            // With zero to the left, the byte above is always nearest.
            for i in 0..<beginning { row[i] &+= above[i] }
            for i in beginning..<row.count {
                row[i] &+= Self.nearest(left: row[i - pixelBytes], above: above[i], corner: above[i - pixelBytes])
            }
        }
    }

    /// The Paeth predictor: the one of three neighbours that is nearest to left + above − corner; on ties, the first.
    @inline(__always)
    private static func nearest(left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
        let toLeft = abs(Int16(above) - Int16(corner))
        let toAbove = abs(Int16(left) - Int16(corner))
        let toCorner = abs(Int16(left) + Int16(above) - 2 * Int16(corner))
        if toLeft <= toAbove, toLeft <= toCorner { return left }
        return toAbove <= toCorner ? above : corner
    }
}
