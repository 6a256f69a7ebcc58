/// Converts bytes to an encoder's inputs: `(byte / 255 − mean) / deviation`, for each colour.
public struct PatchNormalization: Sendable {
    /// For red, green and blue, the value of every byte.
    private let tables: [[Float]]

    /// A normalisation by three means and deviations, for values from 0 to 1; `nil` if there are fewer, or a deviation
    /// cannot be a divisor.
    public init?(mean: [Float], deviation: [Float]) {
        guard mean.count >= 3, deviation.count >= 3 else { return nil }
        let pairs = zip(mean, deviation).prefix(3)
        guard pairs.allSatisfy({ $0.isFinite && $1.isFinite && $1 != 0 }) else { return nil }
        tables = pairs.map { mean, deviation in
            (0..<256).map { Float((Double($0) / 255 - Double(mean)) / Double(deviation)) }
        }
    }

    /// The patches of a picture whose sides are multiples of `side`, row by row: `[patches, 3, side, side]`.
    ///
    /// - Parameter side: The side of a patch in pixels; at least 1. Incomplete patches are dropped.
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
