/// Converts the samples of a row to red, green and blue. Alpha and the transparent colour of `tRNS` are ignored.
enum PNGSamples {
    /// Samples of whole bytes, with the byte distances between pixels and between the colours of a pixel; the latter is
    /// zero for greys. For two-byte samples, the first byte, which is the upper one, is used.
    case bytes(pixel: Int, color: Int)
    /// Samples of `bits` bits that index a table of 256 colours.
    case table(bits: Int, colors: [UInt8])

    init(_ header: PNGHeader, palette: FileBytes?) throws(ImageError) {
        switch header.type {
        case .palette:
            guard let palette else { throw .damaged(format: .png, reason: "it has no palette") }
            // Missing palette entries are black.
            self = .table(bits: header.depth, colors: (0..<768).map { palette[$0] ?? 0 })
        case .grey where header.depth < 8:
            self = .table(bits: header.depth, colors: Self.greys(bits: header.depth))
        case .grey, .greyWithAlpha: self = .bytes(pixel: header.pixelBytes, color: 0)
        case .color, .colorWithAlpha: self = .bytes(pixel: header.pixelBytes, color: header.depth / 8)
        }
    }

    /// Equal steps from black to white.
    private static func greys(bits: Int) -> [UInt8] {
        let white = 1 << bits - 1
        return (0..<256).flatMap { [UInt8](repeating: UInt8(min($0, white) * 255 / white), count: 3) }
    }

    /// Writes the colours of a row.
    ///
    /// - Parameters:
    ///   - count: Pixels.
    ///   - step: Bytes from one pixel of the output to the next.
    func write(
        _ row: UnsafeBufferPointer<UInt8>, count: Int, to output: UnsafeMutableBufferPointer<UInt8>, step: Int
    ) {
        switch self {
        case .bytes(let pixel, let color):
            for i in 0..<count {
                for channel in 0..<3 { output[i * step + channel] = row[i * pixel + channel * color] }
            }
        case .table(let bits, let colors):
            let mask = 1 << bits - 1
            for i in 0..<count {
                let bit = i * bits
                let entry = Int(row[bit / 8]) >> (8 - bits - bit % 8) & mask
                for channel in 0..<3 { output[i * step + channel] = colors[entry * 3 + channel] }
            }
        }
    }
}
