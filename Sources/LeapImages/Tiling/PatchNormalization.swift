/// How bytes become the numbers that an encoder sees: `(byte / 255 − mean) / deviation`, for each colour.
public struct PatchNormalization: Sendable {
    /// For red, green and blue the number of every byte.
    private let tables: [[Float]]

    /// A normalisation by three means and deviations, of numbers from 0 to 1; `nil` where there are fewer, or some that
    /// nothing can be divided by.
    public init?(mean: [Float], deviation: [Float]) {
        guard mean.count >= 3, deviation.count >= 3 else { return nil }
        let pairs = zip(mean, deviation).prefix(3)
        guard pairs.allSatisfy({ $0.isFinite && $1.isFinite && $1 != 0 }) else { return nil }
        tables = pairs.map { mean, deviation in
            (0..<256).map { Float((Double($0) / 255 - Double(mean)) / Double(deviation)) }
        }
    }

    /// The patches of a picture whose sides are multiples of a patch's, row by row: `[patches, 3, side, side]`.
    ///
    /// - Parameter side: Pixels on a side of a patch; at least 1. Pixels that fill no patch are left out.
    public func patches(of image: RGBImage, side: Int) -> [Float] {
        let (columns, rows) = (image.width / side, image.height / side)
        var values = [Float](repeating: 0, count: columns * rows * 3 * side * side)
        var index = 0
        for patch in 0..<columns * rows {
            let origin = (patch / columns * side * image.width + patch % columns * side) * 3
            for (color, table) in tables.enumerated() {
                for y in 0..<side {
                    let line = origin + y * image.width * 3 + color
                    for x in 0..<side {
                        values[index] = table[Int(image.pixels[line + 3 * x])]
                        index += 1
                    }
                }
            }
        }
        return values
    }
}
