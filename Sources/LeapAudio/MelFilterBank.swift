import Foundation

/// Triangular filters over the bins of a power spectrum, which overlap by half and follow the resolution of human
/// hearing.
///
/// Source: Slaney 1998, "Auditory Toolbox", `mfcc`: the scale is linear below 1,000 Hz and logarithmic above, and every
/// triangle has the same area.
struct MelFilterBank: Sendable {
    /// A triangle's weights, from its first bin on.
    private struct Triangle {
        let first: Int
        let weights: [Double]
    }

    private let triangles: [Triangle]

    /// - Parameters:
    ///   - count: Triangles, from 0 Hz to half the sample rate.
    ///   - bins: Bins of the spectrum, from 0 Hz to half the sample rate.
    init(count: Int, bins: Int, rate: Int) {
        let highest = Self.mel(Double(rate) / 2)
        let corners = (0..<count + 2).map { Self.hertz(highest * Double($0) / Double(count + 1)) }
        let frequencies = (0..<bins).map { Double($0) * Double(rate) / Double(2 * (bins - 1)) }
        triangles = (0..<count).map { index in
            let (low, middle, high) = (corners[index], corners[index + 1], corners[index + 2])
            let weights = frequencies.map { frequency in
                max(0, min((frequency - low) / (middle - low), (high - frequency) / (high - middle))) * 2 / (high - low)
            }
            let first = weights.firstIndex { $0 > 0 } ?? 0
            let end = (weights.lastIndex { $0 > 0 } ?? -1) + 1
            return Triangle(first: first, weights: Array(weights[first..<max(first, end)]))
        }
    }

    /// The power within a triangle.
    func power(_ triangle: Int, of spectrum: UnsafeMutableBufferPointer<Double>) -> Double {
        let triangle = triangles[triangle]
        var sum = 0.0
        for index in triangle.weights.indices { sum += triangle.weights[index] * spectrum[triangle.first + index] }
        return sum
    }

    private static let linear = 200.0 / 3
    private static let knee = 1000.0
    private static let logarithmic = log(6.4) / 27

    private static func mel(_ hertz: Double) -> Double {
        hertz < knee ? hertz / linear : knee / linear + log(hertz / knee) / logarithmic
    }

    private static func hertz(_ mel: Double) -> Double {
        mel < knee / linear ? mel * linear : knee * exp((mel - knee / linear) * logarithmic)
    }
}
