/// How colours between pixels are interpolated.
public enum ResizeFilter: Sendable, CaseIterable {
    /// A triangle: linear interpolation between two pixels.
    case bilinear
    /// Keys' cubic with a = −0.5, over four pixels.
    case bicubic

    /// The filter's radius, in pixels of the larger picture.
    var support: Double {
        switch self {
        case .bilinear: 1
        case .bicubic: 2
        }
    }

    /// The filter's weight at a distance.
    func weight(at distance: Double) -> Double {
        let x = abs(distance)
        switch self {
        case .bilinear:
            return max(0, 1 - x)
        case .bicubic:
            let a = -0.5
            if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
            return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
        }
    }
}

/// The contribution of each pixel of a line to each pixel of a resized line. When shrinking, the filter is widened to
/// what a new pixel covers, so that no pixel is skipped.
///
/// Source: Pillow's documentation, "Filters"; Keys 1981, "Cubic Convolution Interpolation for Digital Image Processing".
public struct ResamplingWeights: Sendable {
    /// The contributions to one pixel.
    public struct Window: Sendable {
        /// The first pixel of the old line.
        public let first: Int
        /// The weights of that pixel and the ones after it; their sum is 1.
        public let weights: [Double]
    }

    /// For every pixel of the new line.
    public let windows: [Window]

    /// The weights between lines of two lengths, both at least 1.
    public init(in inputs: Int, out outputs: Int, filter: ResizeFilter = .bilinear) {
        let scale = Double(inputs) / Double(outputs)
        let stretch = max(scale, 1)
        let support = filter.support * stretch
        windows = (0..<outputs).map { index in
            let center = (Double(index) + 0.5) * scale
            let first = max(0, Int(center - support + 0.5))
            let end = min(inputs, Int(center + support + 0.5))
            let weights = (first..<max(end, first)).map { filter.weight(at: (Double($0) + 0.5 - center) / stretch) }
            let sum = weights.reduce(0, +)
            return Window(first: first, weights: weights.map { $0 / sum })
        }
    }
}
